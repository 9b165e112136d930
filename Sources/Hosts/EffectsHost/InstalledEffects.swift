public import Effects
import Processes
import SystemCalls

/// What is installed on this machine, told by a short run of the effects program. Any thread that may wait.
public struct InstalledEffects: Sendable {
  private let program: String?
  private let pluginPath: String?

  /// Seconds in which the program must answer.
  private static let patience = 30.0

  /// Why nothing is known; a sentence without its point.
  public struct Failure: Error, CustomStringConvertible {
    public var description: String

    /// The program is not installed.
    public static let noProgram = Failure(
      description:
        "the program multiroute-effects is not beside multiroute: install multiroute again, or run make build where its source is"
    )
  }

  /// - Parameters:
  ///   - program: the path of `multiroute-effects`; nil if it is not installed.
  ///   - pluginPath: where plugins are looked for, as in LV2_PATH; nil for what the environment says.
  public init(program: String?, pluginPath: String? = nil) {
    (self.program, self.pluginPath) = (program, pluginPath)
  }

  /// The path of the effects program: beside this program in a build, in `lib/multiroute` in an installation; nil if it is in neither.
  public static var usualProgram: String? {
    guard let own = try? System.readlink("/proc/self/exe") else { return nil }
    let folder = WholeFile.folder(of: own)
    return ["\(folder)/multiroute-effects", "\(folder)/../lib/multiroute/multiroute-effects"].first {
      System.access($0, .execute)
    }
  }

  /// All plugins. The program reads them anew only after a change.
  public func list() throws(Failure) -> EffectList { try ask(["list"]) }

  /// Some plugins with their controls.
  ///
  /// - Parameters:
  ///   - uris: at least one.
  ///   - rate: in Hz; some plugins give ranges as parts of it.
  public func describe(_ uris: [String], rate: Double) throws(Failure) -> EffectDescriptions {
    try ask(["describe", "\(rate)"] + uris)
  }

  private func ask<Answer: EffectMessage>(_ words: [String]) throws(Failure) -> Answer {
    guard let program else { throw .noProgram }
    var run = ChildProgram(program, words)
    if let pluginPath { run.variables = ["LV2_PATH=\(pluginPath)"] }
    (run.output, run.leavesSession) = (.us, true)
    let child: Child
    do throws(SystemError) { child = try Child(run) } catch {
      throw Failure(description: "\(program) cannot be started: \(error.reason)")
    }
    guard let bytes = child.readOutput(limit: 64 << 20, seconds: Self.patience),
      let answer = Answer(bytes: bytes)
    else {
      do throws(DynamicLibrary.Missing) { try DynamicLibrary.load(.effects) } catch {
        throw Failure(description: error.description)
      }
      throw Failure(description: "\(program) does not say what is installed")
    }
    return answer
  }
}
