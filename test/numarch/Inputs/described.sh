# Compares what a start reads of recorded machines with hwloc: described.sh START_TEST FOLDER MACHINE.xml...
compare=$1
folder=$2
shift 2
for machine; do
  rm -rf "$folder" && mkdir -p "$folder" || exit 1
  python3 "${0%/*}/kernel-files.py" "$folder" <"$machine" || exit 1
  name=${machine##*/}
  echo "${name%.xml}: $("$compare" described "$folder" | tr '\n' ' ')"
done
