# Reads the report of `llvm-cov report`, and prints the coverage of each folder.
#
# The columns are: file, regions, missed regions, share, functions, missed functions, share, lines, missed lines, share.

/\.(swift|h|c) / {
	folder = $1
	sub(/\/[^\/]*$/, "", folder)
	# The folders in the folders of the core belong to these.
	if (match(folder, /SluiceCore\/[^\/]+/)) folder = substr(folder, RSTART, RLENGTH) "/"
	else if (match(folder, /(JSONPaths|SluiceCodable|SluiceSchemas|SluiceStreams)/)) folder = substr(folder, RSTART, RLENGTH) "/"
	else next
	total = folder ~ /^SluiceCore/ ? "SluiceCore" : ""
	add(folder)
	if (total) add(total)
}

function add(name) {
	if (!(name in lines)) names[++count] = name
	regions[name] += $2; missedRegions[name] += $3
	lines[name] += $8; missedLines[name] += $9
}

function share(all, missed) { return all ? sprintf("%.1f %%", 100 * (all - missed) / all) : "–" }

END {
	print "| folder | lines | covered | regions | covered |"
	print "|---|---|---|---|---|"
	for (index_ = 1; index_ <= count; index_++) {
		name = names[index_]
		printf "| `%s` | %d | %s | %d | %s |\n", name, lines[name], share(lines[name], missedLines[name]), \
			regions[name], share(regions[name], missedRegions[name])
	}
}
