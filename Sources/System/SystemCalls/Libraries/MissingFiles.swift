/// What the system says about the names that it was asked to load, put together.
struct MissingFiles: CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - reasons: of dlopen(3), one for each name.
  ///   - folders: where libraries of versions that are not known are looked for.
  init(_ reasons: [String], folders: [String] = Self.folders) {
    let end = ": cannot open shared object file: No such file or directory"
    var files: [String] = []
    var parts: [String] = []
    for reason in reasons {
      if reason.hasSuffix(end) {
        files.append(String(reason.dropLast(end.count)))
      } else {
        parts.append(reason)
      }
    }
    if !files.isEmpty {
      let unknown = Self.unknown(besides: files, in: folders)
      let known = Self.list(files, "and")
      parts.insert(
        unknown.isEmpty
          ? files.count == 1
            ? "\(known) is missing" : "one of \(Self.list(files, "or")) is needed, and none is there"
          : "\(Self.list(unknown, "and")) \(unknown.count == 1 ? "is" : "are") of a version that is not known here, which knows \(known)",
        at: 0)
    }
    description = parts.joined(separator: "; ")
  }

  private static let folders: [String] = {
    #if arch(x86_64)
      let name = "x86_64-linux-gnu"
    #else
      let name = "aarch64-linux-gnu"
    #endif
    return ["/usr/lib/\(name)", "/lib/\(name)", "/usr/lib64", "/usr/lib", "/usr/local/lib"]
  }()

  /// Installed files that differ from those that are missing in their version alone.
  private static func unknown(besides missing: [String], in folders: [String]) -> [String] {
    let stems = Set(missing.map(stem))
    let found = folders.flatMap { (try? System.readdir($0)) ?? [] }.filter { file in
      let parts = file.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 3 && parts[1] == "so" && parts[2].allSatisfy(\.isNumber)
        && stems.contains(stem(file))
    }
    return Set(found).subtracting(missing).sorted()
  }

  /// The name up to its first number: `libFLAC`, or `libwebrtc-audio-processing-`.
  private static func stem(_ file: String) -> Substring { file.prefix { $0 != "." && !$0.isNumber } }

  private static func list(_ files: [String], _ word: String) -> String {
    files.count < 2 ? files.joined() : files.dropLast().joined(separator: ", ") + " \(word) " + files.last!
  }
}
