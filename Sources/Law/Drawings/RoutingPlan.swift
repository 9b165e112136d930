/// The routing of a preset, as a drawing shows it: programs and inputs on the left, sessions with their streams in the middle, outputs and
/// captures on the right.
///
/// A plan depends on its preset alone; equal presets give equal drawings.
public struct RoutingPlan: Equatable, Sendable {
  let title: String
  var sources: [Source] = []
  var sessions: [Block] = []
  var sinks: [Sink] = []

  /// A program, or an input, that feeds streams.
  struct Source: Equatable, Sendable {
    let name: String
    let details: [String]
  }

  /// A session.
  struct Block: Equatable, Sendable {
    let name: String
    /// Its category and mode.
    let kind: String
    var notes: [String]
    var rows: [Row] = []
  }

  /// A stream of a session, or what the session gives to captures.
  struct Row: Equatable, Sendable {
    let name: String
    var notes: [String] = []
    /// Indices of the sources that feed it.
    var sources: [Int] = []
    var sends: [Send] = []
  }

  /// The way from a row to an output or a capture.
  struct Send: Equatable, Sendable {
    /// Index of the sink.
    let sink: Int
    /// The name of the sink and the level, such as `usb:1-2 -6 dB`.
    let label: String
    let way: Way
  }

  enum Way: Equatable, Sendable {
    /// To an output.
    case output
    /// Into what a session's programs receive.
    case capture
    /// To an output, but switched off.
    case off
  }

  /// An output, or what the programs of a session receive.
  struct Sink: Equatable, Sendable {
    let name: String
    let details: [String]
  }
}
