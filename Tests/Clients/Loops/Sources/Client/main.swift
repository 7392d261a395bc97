// Loops over asynchronous sequences in many shapes, built with optimization in both language modes. A compiler that splits
// these functions into coroutines must neither crash nor change their results.
import Five
import Six

try await Five.checkLoops()
try await Six.checkLoops()
print("Loops in language modes 5 and 6")
