import SystemCalls
import Testing

@Suite struct DynamicLibraryTests {
  private struct Functions {
    var cosine: (@convention(c) (Double) -> Double)?
    var process: (@convention(c) () -> Int32)?
  }

  private static func maths(_ files: String...) -> LoadedLibrary {
    LoadedLibrary(for: "cosines", files, SystemPackage("libm", fedora: "libm"))
  }

  /// Calls `body` with the names of functions as C lists them.
  private func with<Value>(
    _ names: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let texts = names.map { Array($0.utf8CString) }
    // All names are kept in one array, since pointers into several need as many closures.
    let joined = texts.flatMap { $0 }
    return joined.withUnsafeBufferPointer { bytes in
      var (pointers, place): ([UnsafePointer<CChar>?], Int) = ([], 0)
      for text in texts {
        pointers.append(bytes.baseAddress.map { $0 + place })
        place += text.count
      }
      return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
  }

  @Test("A library that is there gives its functions, and those of the libraries that it needs")
  func found() throws {
    let functions = try with(["cos", "getpid"]) {
      DynamicLibrary.functions(Functions(), $0, of: Self.maths("libm.so.6"))
    }.get()
    #expect(functions.cosine?(0) == 1)
    #expect(functions.process?() == System.getpid())
  }

  @Test("A missing library and a missing function are named, with what to do")
  func missing() {
    func failure(_ names: [String], of library: String) -> String? {
      let result = with(names) {
        DynamicLibrary.functions(Functions(), $0, of: Self.maths(library))
      }
      if case .failure(let missing) = result { return missing.description }
      return nil
    }
    #expect(
      failure(["cos", "getpid"], of: "libmr-none.so.1")
        == "libmr-none.so.1 is missing; install the package libm")
    let several = try? with(["cos", "getpid"]) {
      DynamicLibrary.functions(Functions(), $0, of: Self.maths("libmr-none.so.1", "libm.so.6"))
    }.get()
    #expect(several?.cosine?(0) == 1)
    let other = failure(["cos", "mr_none"], of: "libm.so.6")
    #expect(other?.hasPrefix("libm.so.6 is of another version: ") == true)
    #expect(other?.contains("mr_none") == true && other?.hasSuffix("; install the package libm") == true)
  }
}
