# Usage: ends.sh PROGRAM REPORT
# The program's exit status and output without mai-run and with, and whether there is a report.
ulimit -c 0
for how in _exit _Exit quick_exit abort fault 15 2 1 24 10; do
  rm -f "$2"
  "$1" $how >"$2.plain" 2>/dev/null
  plain=$?
  mai-run -q -r "$2" "$1" $how >"$2.run" 2>/dev/null
  echo "$how: $plain $?, report $(grep -c 'MAi report' "$2"), $(cmp "$2.plain" "$2.run" && echo the same output)"
done
