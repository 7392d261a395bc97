# Reads the output of `llvm-cov export -format=lcov`, and prints the lines that no test executes, with their text.

/^SF:/ { file = substr($0, 4); number = 0 }
/^DA:/ {
	split(substr($0, 4), fact, ",")
	if (fact[2] != 0) next
	while (number < fact[1] && (getline text < file) > 0) number++
	printf "%s:%d:%s\n", file, fact[1], text
}
/^end_of_record/ { close(file) }
