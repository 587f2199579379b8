# Run a command and print its exit status, which lit can only tell from 0.
"$@"
echo "exit status $?"
