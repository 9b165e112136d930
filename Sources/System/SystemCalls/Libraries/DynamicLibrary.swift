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
  /// - Returns: the filled table, or why there is none.
  public static func functions<Table>(
    _ table: Table, _ names: UnsafePointer<UnsafePointer<CChar>?>, of library: LoadedLibrary
  ) -> Result<Table, Missing> {
    do throws(Missing) {
      let (handle, file) = try open(library)
      var table = table
      let missing: Missing? = withUnsafeMutableBytes(of: &table) { bytes in
        let pointers = bytes.bindMemory(to: UnsafeMutableRawPointer.self)
        for index in pointers.indices {
          guard let name = names[index], let function = dlsym(handle, name) else {
            return Missing("\(file) is of another version: \(reason()); \(library.advice)")
          }
          pointers[index] = function
        }
        return nil
      }
      return missing.map { .failure($0) } ?? .success(table)
    } catch {
      return .failure(error)
    }
  }

  /// Loads a library.
  /// - Returns: the name under which the system has it.
  @discardableResult
  public static func load(_ library: LoadedLibrary) throws(Missing) -> String { try open(library).file }

  /// Opens the first of a library's names that the system finds where it looks for all libraries.
  private static func open(_ library: LoadedLibrary) throws(Missing) -> (
    UnsafeMutableRawPointer, file: String
  ) {
    var reasons: [String] = []
    for file in library.files {
      if let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) { return (handle, file) }
      reasons.append(reason())
    }
    throw Missing("\(MissingFiles(reasons)); \(library.advice)")
  }

  /// The system's sentence about its last failure, which names the library.
  private static func reason() -> String { dlerror().map { String(cString: $0) } ?? "it has no reason" }
}
