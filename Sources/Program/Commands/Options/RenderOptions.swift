import SessionModel
import SystemCalls

/// The options of `multiroute render`.
public struct RenderOptions: Equatable, Sendable {
  /// A preset's id or path.
  public var preset: String
  /// Sound files for streams and inputs, each once; none for a show of players.
  public var inputs: [SourceFile]
  /// Files for outputs and captures: at least one, each once.
  public var outputs: [SinkFile]
  /// The path of the script; nil for none.
  public var script: String?
  /// Length in seconds; nil for the length of the longest input.
  public var seconds: Double?
  /// Sample rate in Hz; nil for that of the first input.
  public var rate: Int?
  /// Frames per period.
  public var period: Int
  /// Whether to print the progress in lines if it cannot be drawn.
  public var showsProgress: Bool
  public var presetFolder: String?
  public var mediaFolder: String?
  public var configuration: ConfigurationChoice

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    preset = arguments.positionals[0]
    inputs = arguments.all(.input).compactMap { SourceFile($0) }
    outputs = arguments.all(.output).compactMap { SinkFile($0) }
    script = arguments.text(.script)
    seconds = arguments.seconds(.renderSeconds)
    rate = arguments.integer(.rate)
    period = arguments.integer(.period) ?? 256
    showsProgress = arguments.has(.progress)
    presetFolder = arguments.text(.presets)
    mediaFolder = arguments.text(.media)
    configuration = ConfigurationChoice(arguments.text(.config))
    let (sources, sinks) = (inputs.map(\.source), outputs.map(\.sink))
    let (read, written) = (inputs.map { FilePlace($0.path) }, outputs.map { FilePlace($0.path) })
    let twice =
      Self.repeated(sources).map { "--in names \(sources[$0]) twice" }
      + Self.repeated(sinks).map { "--out names \(sinks[$0]) twice" }
      + Self.repeated(written).map { "--out writes \(outputs[$0].path) twice" }
    let lost = outputs.indices.filter { read.contains(written[$0]) }.map {
      "--out writes \(outputs[$0].path), which --in reads; name another file"
    }
    let endless = inputs.isEmpty && seconds == nil ? ["it needs --in or --seconds, or it would not end"] : []
    let problems = twice + lost + endless
    guard problems.isEmpty else { throw .usage(of: .render, problems) }
  }

  /// The places of what a list has before.
  private static func repeated(_ list: [some Hashable]) -> [Int] {
    list.indices.filter { list[..<$0].contains(list[$0]) }
  }
}

/// Where a file is, or where it will be made: equal for all paths to one file.
public struct FilePlace: Hashable {
  /// The numbers of the file; of its folder while there is no file.
  private var (device, inode): (UInt64, UInt64) = (0, 0)
  /// The name in the folder, while there is no file.
  private var name = ""

  public init(_ path: String) {
    if let file = try? System.stat(path) {
      (device, inode) = (file.device, file.inode)
    } else {
      name = path.split(separator: "/").last.map(String.init) ?? path
      guard let folder = try? System.stat(WholeFile.folder(of: path)) else { return }
      (device, inode) = (folder.device, folder.inode)
    }
  }
}
