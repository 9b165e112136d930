import StageKit

/// A command of the stage: one row of the table from which `help` is written and commands are found.
struct StageCommand: Sendable {
  var name: String
  /// Arguments as `help` shows them.
  var arguments: String
  var summary: String
  /// The number of words that may follow the name.
  var count: ClosedRange<Int>
  /// Carries out the command and returns the text after `ok`.
  var run: @Sendable (Stage, Arguments) throws(CommandError) -> String
}

/// Why a command was not carried out, as a sentence.
enum CommandError: Error {
  case usage(String)
  case stage(StageError)

  var sentence: String {
    switch self {
    case .usage(let text): text
    case .stage(let error): error.description
    }
  }
}

/// The words after a command's name.
struct Arguments: Sendable {
  let words: [String]

  var count: Int { words.count }

  subscript(index: Int) -> String { words[index] }

  /// A word that must not be missing.
  func word(_ index: Int, _ meaning: String) throws(CommandError) -> String {
    guard words.indices.contains(index) else { throw .usage("\(meaning) is missing") }
    return words[index]
  }

  func integer(_ index: Int, _ meaning: String) throws(CommandError) -> Int {
    let word = try word(index, meaning)
    guard let value = Int(word) else { throw .usage("\(meaning) must be a whole number, not \"\(word)\"") }
    return value
  }

  func number(_ index: Int, _ meaning: String) throws(CommandError) -> Double {
    let word = try word(index, meaning)
    guard let value = Double(word), value.isFinite else {
      throw .usage("\(meaning) must be a number, not \"\(word)\"")
    }
    return value
  }

  func number(_ index: Int, _ meaning: String, default standard: Double) throws(CommandError) -> Double {
    words.indices.contains(index) ? try number(index, meaning) : standard
  }

  /// Reads the words from `index` on as a signal for one channel, counted from 0.
  func signal(from index: Int, channel: Int) throws(CommandError) -> Signal {
    switch try word(index, "the signal") {
    case "silence": return .silence
    case "sine":
      return .sine(
        frequency: try number(index + 1, "the frequency"), level: try number(index + 2, "the level"))
    case "ramp": return .ramp(start: channel << 20)
    case "impulse": return .impulse(every: try integer(index + 1, "the distance in frames"))
    case "file":
      let path = try word(index + 1, "the path")
      let sound = try staged { () throws(StageError) in try Stage.sound(at: path) }
      return Signal.channels(of: sound, count: channel + 1)[channel]
    case let other:
      throw .usage("there is no signal \"\(other)\"; there are silence, sine, ramp, impulse, file")
    }
  }
}

/// Turns an error of the stage into an error of the command.
func staged<Value>(_ work: () throws(StageError) -> Value) throws(CommandError) -> Value {
  do throws(StageError) { return try work() } catch { throw .stage(error) }
}
