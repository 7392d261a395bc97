// Errors, and the paths of the values at fault.

extension ModelWriter {
    /// Returns an error at the current value.
    @inline(never)
    func failure(_ kind: JSONIssue.Kind) -> JSONModelError {
        var issue = JSONIssue(kind: kind, path: path())
        // Errors of the writer have no location.
        issue.location.line = 0
        for index in stride(from: stack.count - 1, through: 0, by: -1) where stack[index].form == .model {
            guard let plan = stack[index].layout?.table?.plan else { break }
            issue.model = plan.modelName
            if let steps = stack[index].steps, stack[index].step > 0 {
                let field = steps[stack[index].step - 1].field
                if plan.fields.indices.contains(field) {
                    issue.property = plan.fields[field].name
                    issue.model = plan.fields[field].modelName ?? plan.modelName
                }
            }
            break
        }
        return JSONModelError(issues: [issue])
    }

    /// Returns the error for an error thrown by user code.
    @inline(never)
    func thrown(_ error: any Error) -> JSONModelError {
        if let problem = error as? JSONModelError.ConversionFailure {
            if case .invalid(let why, _) = problem { return failure(.notEncodable(why)) }
            return failure(.notEncodable("its type does not convert this value to JSON"))
        }
        if let part = error as? PartFailure {
            return JSONModelError(
                issues: part.issues.map { issue in
                    var issue = issue
                    issue.path.components = path().components + issue.path.components
                    return issue
                })
        }
        var result = failure(.thrown)
        let issue = JSONIssue(thrown: error)
        result.issues[0].path.components += issue.path.components
        result.issues[0].underlying = error
        return result
    }

    @inline(never)
    func notEncodable(_ layout: LayoutReference) -> JSONModelError {
        let shape = layout.shape
        return failure(.notEncodable("\(shape.typeName) has no conversion to JSON"))
    }

    /// Returns the path of the current value.
    private func path() -> JSONPath {
        var path = JSONPath()
        var structCount = 0
        for index in 0..<stack.count {
            let frame = stack[index]
            switch frame.form {
            case .model:
                addKey(ofPayload: frame, &path)
                guard let steps = frame.steps, frame.step > 0 else { break }
                addPath(steps, to: frame.step - 1, &path, &structCount)
            case .elements, .values, .sorted:
                if frame.begunCount > 0 { path.components.append(.index(frame.begunCount - 1)) }
            case .pairs, .innerPairs:
                guard frame.begunCount > 0, let layout = frame.layout else { break }
                path.components.append(.key(text(pair(frame, frame.begunCount - 1), layout)))
            case .members:
                guard frame.begunCount > 0,
                    let member = MemberStorage.member(frame.base, at: frame.begunCount - 1)
                else { break }
                path.components.append(.key(member.key.pointee))
            case .brace: addKey(ofPayload: frame, &path)
            case .temporary: break
            }
        }
        return path
    }

    /// Adds the key of the payload of a case, if the payload is in an object of its own.
    private func addKey(ofPayload frame: EncodingFrame, _ path: inout JSONPath) {
        guard let one = frame.payload else { return }
        let key = one.pointee.functions._withUnsafeGuaranteedRef { $0.key }
        if let key { path.components.append(.key(key)) }
    }

    /// Adds the keys and indexes of an instruction, and of the objects and arrays that are open at the instruction.
    private func addPath(
        _ steps: UnsafePointer<EncodingInstruction>, to last: Int, _ path: inout JSONPath, _ structCount: inout Int
    ) {
        for at in 0...last {
            let step = steps + at
            switch step.pointee.action {
            case .object, .array:
                if step.pointee.next > last || at == last { addKey(step, &path) }
            case .elements, .members:
                guard step.pointee.next > last else { break }
                addKey(step, &path)
                if stack.structs.indices.contains(structCount) {
                    path.components.append(.index(stack.structs[structCount].index))
                }
                structCount += 1
            case .element: if step.pointee.next > last { path.components.append(.index(step.pointee.index)) }
            case .value, .checked, .indirect: if at == last { addKey(step, &path) }
            default: break
            }
        }
    }

    private func addKey(_ step: UnsafePointer<EncodingInstruction>, _ path: inout JSONPath) {
        // The prefix is a comma, followed by `"key":` except in arrays.
        guard step.pointee.prefixCount > 1 else { return }
        let text = UnsafeBufferPointer(start: step.pointee.prefix + 1, count: step.pointee.prefixCount - 2)
        let key = Recording(written: text).string
        path.components.append(.key(key ?? String(decoding: text, as: UTF8.self)))
    }
}
