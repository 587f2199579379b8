# The kernels on blocks of the heap, on static arrays as mapp-rewrite places them, and by other policies.
echo "heap: $("$1/heap" 2048)"
echo "static: $("$1/static")"
for policy in block cyclic; do
  echo "$policy: $(MAI_POLICY="*:$policy" "$1/static")"
done
