import CYajl
import BenchmarkRecords
@main struct F { static func main() { print(yajl_status_ok) } }
