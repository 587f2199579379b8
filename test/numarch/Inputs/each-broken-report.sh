# Usage: each-broken-report.sh <report> <folder>
# What numarch says of broken reports; it prints nothing else, and fails.
set -euo pipefail
good=$1
rm -rf "$2"
mkdir "$2"
cd "$2"

try() {
  if numarch --svg --report "$2/$1.json" >out; then echo "$1 was drawn"; fi
  [ ! -s out ] || echo "$1 was printed"
}
change() { sed "s/$2/$3/" "$good" >"$1.json"; }

echo words >text.json
: >empty.json
printf '%0100000d' 0 | tr 0 '[' >deep.json
head -n 5 "$good" >cut.json
head -c 70000000 /dev/zero | tr '\0' ' ' >big.json
change format '"mai_report": 1' '"mai_report": 2'
echo '[1]' >array.json
change page_size '"page_size": 4096' '"page_size": "4096"'
change arrays '"arrays": \[' '"arrays": 1, "others": ['
change bytes '"bytes": 626688' '"bytes": -1'
change pages '"1": 102' '"1": 1.5'
change node '"0": 51' '"-1": 51'
change threads '"threads": \[' '"threads": {}, "others": ['
change thread '"thread": 0' '"thread": null'
try missing "$2"
if numarch --svg --report "$2" >out; then echo "a folder was drawn"; fi
for name in text empty deep cut big format array page_size arrays bytes pages node threads thread; do
  try $name "$2"
done
