# Usage: every-call.sh CALLS-PROGRAM
# Every group of calls with huge pages off and on.
for pages in never always; do
  echo $pages >/sys/kernel/mm/transparent_hugepage/enabled
  echo "huge pages $pages"
  $1
  MAI_POPULATE=1 $1 populated
done
