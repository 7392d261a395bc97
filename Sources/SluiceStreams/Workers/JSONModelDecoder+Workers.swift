import SluiceCore

extension JSONModelDecoder {
    /// The number of threads that decode the elements of a stream. The default is the calling thread alone.
    ///
    /// Several threads decode lines (``JSONFraming/lines``), and the elements of one array of a document if they are objects or
    /// arrays: in `forEach`, in `decode` of an array, of files and inputs in memory also in `cursor` and `elements`, and within each
    /// chunk of a feed or of an asynchronous sequence of chunks. The calling thread alone decodes inputs and chunks of less than
    /// 256 KB, values in memory such as a `JSONValue`, the members of objects, elements at a path whose only wildcard is not its last step or
    /// that has several, lines with several elements each, and all other input. `decode` of an array uses one thread if the decoder has an
    /// `issueHandler` or a `progressHandler`.
    ///
    /// Elements, issues and errors are the same for any number of threads, and arrive in the same order, on the calling thread.
    /// Progress is reported after each 128 KB. Transforms and other hooks of the models run on all threads, and may run twice for an
    /// element. Any thread may destroy the elements of `forEach`. A model whose conformance is isolated to an actor requires
    /// `JSONWorkers.exactly(1)`. A hook must not wait for the thread that calls `forEach`, `decode`, `next` of a cursor, or `push`, because this
    /// thread waits for the hook. A loop does not wait so.
    ///
    /// At an early end, `forEach`, `decode` and `push` wait until each thread has ended its current element. A loop or a cursor that is left
    /// does not wait.
    ///
    /// All streams of the process share their threads: at most two for each core and one more, or 64 if that is more.
    public var workers: JSONWorkers {
        get { options.workers }
        set {
            options.workers = newValue
            options.arrayCollector = newValue.count > 1 ? Self.arrayCollector : nil
        }
    }

    private static let arrayCollector = ArrayCollector { shape, content, path, target, decoder in
        let options = decoder.options
        guard let input = content.text, input.isRepeatable, !path.selectsSeveral,
            options.issueHandler == nil, options.progressHandler == nil, !options.isPartial,
            (input.memory?.count ?? .max) > 2 * options.workers.batchSize,
            let array = shape.type as? any CollectedArray.Type
        else { return false }
        return array.collect(content, at: path, into: target, decoder)
    }
}
