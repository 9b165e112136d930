import CLibedit
import SystemCalls

/// The functions of libedit that are used. The library is loaded for the first prompt. Only `LineEditor` calls them.
enum EditCalls {
  // Nothing but pointers to functions; those that take any number of arguments have no type in Swift.
  nonisolated(unsafe) static let library = DynamicLibrary.functions(
    mr_edit(), mr_edit_names(), of: .prompt)

  /// The owner of an editor in a callback of it, which exists only if the library is loaded.
  static func owner(of editor: OpaquePointer?) -> UnsafeMutableRawPointer {
    withUnsafePointer(to: try! library.get()) { mr_edit_owner($0, editor) }
  }
}
