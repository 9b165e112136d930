/// Why a name means no file in the media folders; the description is a sentence for the operator.
public enum MediaNameError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name is an absolute path.
  case absolute(String)
  /// `..` leads out of the media folder.
  case leavesFolder(String)
  /// A symbolic link leads out of the media folders.
  case linkOut(String, target: String)
  /// Symbolic links lead to each other without end.
  case linkLoop(String)
  /// No media folder has a file of that name.
  case missing(String, in: [String])
  /// The system refuses to look at the file.
  case unreadable(String, reason: String)
  /// It is neither a file nor a folder, but a device, a FIFO or a socket.
  case special(String)
  /// A new file cannot have the name, because it is that of a folder.
  case folder(String)
  /// A new file cannot have the name, because hidden files are not shown.
  case hidden(String)
  /// The folder of a new file does not exist.
  case noFolder(String, folder: String, in: [String])
  /// There is something of the name of a new file; with a name that is free.
  case taken(String, free: String?)

  /// Whether there is merely nothing of that name.
  public var isMissing: Bool { if case .missing = self { true } else { false } }

  public var description: String {
    switch self {
    case .absolute(let name):
      "\(name) is an absolute path; write the name below a media folder, such as Jazz/Blue.flac"
    case .leavesFolder(let name):
      "\(name) leads out of the media folder; only files in the media folders have names"
    case .linkOut(let name, let target):
      "\(name) is a symbolic link to \(target), which is outside the media folders; move the file there, or make that folder a media folder"
    case .linkLoop(let name): "\(name) leads through symbolic links without end"
    case .missing(let name, let folders):
      folders.isEmpty
        ? "there is no \(name), because no media folder is set"
        : "there is no \(name) in \(folders.joined(separator: ", "))"
    case .unreadable(let name, let reason): "\(name) cannot be looked at: \(reason)"
    case .special(let name): "\(name) is neither a file nor a folder"
    case .folder(let name):
      "\(name.isEmpty ? "an empty name" : name) names a folder; write the name of a new file"
    case .hidden(let name): "\(name) begins with a dot, so it would be hidden; write another name"
    case .noFolder(let name, let folder, let folders):
      "\(name) cannot be made: there is no folder \(folder)"
        + (folders.isEmpty ? "" : " in \(folders.joined(separator: ", "))") + "; make it first"
    case .taken(let name, let free):
      "there is a \(name) already, and no file is ever overwritten; write another name"
        + (free.map { ", such as \($0), which is free" } ?? "")
    }
  }
}
