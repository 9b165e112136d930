import Glibc

/// A shared library that is loaded when it is first needed, because it costs memory that most runs do not need. It stays loaded.
public struct DynamicLibrary: @unchecked Sendable {
  // Unchecked: the handle is never closed, and the system's functions on it may be called on any thread.
  private let handle: UnsafeMutableRawPointer

  /// Loads a library.
  ///
  /// - Parameter name: its file name, such as `libm.so.6`; the system looks for it where it looks for all libraries.
  /// - Returns: nil if it is not installed, or cannot be loaded.
  public init?(_ name: String) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// A function of the library; nil if it has none of this name.
  ///
  /// - Parameter type: the type of the C function, `@convention(c)`; a wrong one crashes.
  public func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(handle, name).map { unsafeBitCast($0, to: type) }
  }
}
