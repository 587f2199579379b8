# Writes broken matrices of pairs, and has mai-map say what is wrong with each.
try() {
  printf "$2" > "$1"
  ! mai-map --topology=2x2 -o map.cfg "$1" && test ! -e map.cfg
}
banner='%%%%MatrixMarket matrix coordinate real'
try header 'word\n0,1,2\n'
try none 'a,b,c\n'
try thread 'a,b,c\n16384,0,1\n'
try fraction 'a,b,c\n0,1.5,1\n'
try volume 'a,b,c\n0,1,-1\n'
try missing 'a,b,c\n0,1\n'
try more 'a,b,c\n0,1,1 4\n'
try twice 'a,b,c\n0,1,1\n0,1,1\n'
try banner '%%%%Market\n'
try complex '%%%%MatrixMarket matrix coordinate complex general\n1 1 0\n'
try sizes "$banner general\n"
try oblong "$banner general\n2 3 0\n"
try outside "$banner general\n2 2 1\n1 0 5\n"
try fewer "$banner general\n2 2 2\n1 2 5\n"
try turned "$banner symmetric\n2 2 2\n1 2 5\n2 1 5\n"
