import Foundation

/// A scene of 64 sessions that play eight sines, made from a seed: each at one output or none, at a level of its own.
struct CrowdedScene {
  struct Session {
    let name: String
    let source: Int
    var output: String
    var level: Int
    var isMuted: Bool
    var isActive: Bool
  }

  private(set) var sessions: [Session] = []

  static let sources = 8
  /// Hz; far enough apart for the filter that finds clicks.
  static func frequency(_ source: Int) -> Int { 700 + 1_000 * source }
  static let amplitudeOfSource = pow(10, -20 / 20.0)

  /// - Parameter missing: sessions that this scene does not have.
  init(seed: Int, without missing: Range<Int>) {
    for index in 0..<64 where !missing.contains(index) {
      let draw = (index * 7 + seed * 13) % 16
      sessions.append(
        Session(
          name: "s\(index)", source: index % Self.sources,
          output: draw.isMultiple(of: 2) ? "usb" : "headphones",
          level: -12 - (index * 5 + seed * 11) % 30, isMuted: draw == 5, isActive: draw != 9))
    }
  }

  /// The preset.
  var text: String {
    let entries = sessions.map { session in
      """
      "\(session.name)": { "category": "multiRoute", "activate": "manual", "active": \(session.isActive), \
      "gain": \(session.level), "mute": \(session.isMuted), \
      "streams": { "main": { "channels": 1, "from": ["Tone\(session.source):out_1"], "to": { "\(session.output):1": 0 } } } }
      """
    }
    return House.preset(entries.joined(separator: ",\n"))
  }

  /// The amplitude of a sine at the first channel of an output.
  ///
  /// - Parameter moved: the level of a session that the operator has moved.
  func amplitude(of source: Int, at output: String, moved: (name: String, level: Double)) -> Double {
    sessions.filter { $0.source == source && $0.output == output && !$0.isMuted && $0.isActive }.map {
      pow(10, ($0.name == moved.name ? moved.level : Double($0.level)) / 20) * Self.amplitudeOfSource
    }.reduce(0, +)
  }
}
