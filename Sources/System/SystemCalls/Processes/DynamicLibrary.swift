import Glibc

/// Shared libraries that are loaded when they are first needed, because they cost memory that most runs do not need. They stay loaded.
public enum DynamicLibrary {
  /// A library that cannot be loaded; the description is a sentence without its point, for the operator.
  public struct Missing: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
  }

  /// Loads a library and finds its functions.
  ///
  /// - Parameters:
  ///   - table: nothing but pointers to C functions, of their right types; `MR_FUNCTIONS` of `functions.h` makes such tables.
  ///   - names: of the functions, in the order of the table, and nil.
  ///   - library: a file name, such as `libm.so.6`, which the system looks for where it looks for all libraries.
  ///   - advice: what the operator does if it is missing, such as `install the package libm`.
  /// - Returns: the filled table, or why there is none.
  public static func functions<Table>(
    _ table: Table, _ names: UnsafePointer<UnsafePointer<CChar>?>, of library: String, advice: String
  ) -> Result<Table, Missing> {
    guard let handle = dlopen(library, RTLD_NOW | RTLD_LOCAL) else {
      return .failure(Missing("\(reason()); \(advice)"))
    }
    var table = table
    let missing: Missing? = withUnsafeMutableBytes(of: &table) { bytes in
      let pointers = bytes.bindMemory(to: UnsafeMutableRawPointer.self)
      for index in pointers.indices {
        guard let name = names[index], let function = dlsym(handle, name) else {
          return Missing("\(library) is of another version: \(reason()); \(advice)")
        }
        pointers[index] = function
      }
      return nil
    }
    return missing.map { .failure($0) } ?? .success(table)
  }

  /// The system's sentence about its last failure, which names the library.
  private static func reason() -> String { dlerror().map { String(cString: $0) } ?? "it has no reason" }
}
