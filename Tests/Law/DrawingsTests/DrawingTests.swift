import Checkout
import Foundation
import Presets
import RandomEvents
import SessionModel
import SessionPolicy
import Testing

@testable import Drawings

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("In the picture of a preset no text lies on a line")
struct DrawingTests {
  @Test("for every shipped preset", arguments: Shipped.ids)
  func shipped(_ id: String) throws {
    let drawing = Drawing(try Shipped.plan(of: id))
    #expect(Geometry(drawing).faults == [])
    #expect(!drawing.curves.isEmpty)
  }

  @Test("for random presets, and for states that no preset has")
  func random() throws {
    var kinds: Set<String> = []
    for seed in UInt64(1)...40 {
      var events = RandomEvents(seed: seed)
      var state = try LawEvents.start()
      for time in 0..<120 { _ = try? Policy.reduce(&state, events.next(state), at: Double(time)) }
      let preset = Preset(of: state, id: "random")
      for plan in [
        RoutingPlan(of: preset, law: Policy.reduce),
        RoutingPlan(of: state, title: "Seed \(seed)", law: Policy.reduce),
      ] {
        #expect(Geometry(Drawing(plan)).faults == [], "seed \(seed)")
        #expect(XMLParser(data: Data(plan.svg.utf8)).parse(), "seed \(seed)")
        #expect(plan.text.split(separator: "\n").allSatisfy { $0.last != " " })
        #expect(plan.sessions.count == state.sessions.count, "seed \(seed)")
        for send in plan.sessions.flatMap(\.rows).flatMap(\.sends) { kinds.insert("\(send.way)") }
      }
    }
    #expect(kinds == ["output", "capture", "off"], "the random presets are too plain")
  }

  @Test("for names that are as long as names can be, and for those of strangers")
  func longNames() throws {
    let glob = PortGlob(String(repeating: "alsa_output.usb-<&\"> ", count: 15))!
    var plan = RoutingPlan(title: String(repeating: "A long evening ", count: 20))
    plan.sources = [.init(name: "\u{1F3B8}音楽\u{202E}".printable, details: [[glob].text])]
    plan.sinks = [.init(name: String(repeating: "w", count: 32), details: [[glob, glob].text])]
    let send = RoutingPlan.Send(
      sink: 0, label: String(repeating: "m", count: 60) + " -6 dB", way: .output)
    plan.sessions = [
      .init(
        name: String(repeating: "@", count: 32), kind: "multiRoute", notes: [[glob].text],
        rows: [
          .init(
            name: String(repeating: "W", count: 32), notes: [[glob].text], sources: [0],
            sends: [send, send])
        ])
    ]
    #expect(Geometry(Drawing(plan)).faults == [])
    #expect(XMLParser(data: Data(plan.svg.utf8)).parse())
    #expect(plan.svg.contains("…") && plan.svg.contains("-6 dB"), "the level of a long label is lost")
  }

  @Test("and the check of places sees a line through a text, a text on a text, and a text over an edge")
  func positiveControl() throws {
    let plan = try Shipped.plan(of: "podcast")
    let good = Drawing(plan)
    func faults(_ change: (inout Drawing) -> Void) -> [String] {
      var drawing = good
      change(&drawing)
      return Geometry(drawing).faults
    }
    #expect(faults { $0.curves[0].end.x += 120 }.contains { $0.hasPrefix("a line runs through") })
    #expect(faults { $0.texts[5].anchor = $0.texts[6].anchor }.contains { $0.hasPrefix("the texts ") })
    #expect(faults { $0.texts[5].anchor.x -= 40 }.contains { $0.hasPrefix("the edge of a box") })
    #expect(faults { $0.texts[5].anchor.x -= 4_000 }.contains { $0.hasSuffix("outside") })
    #expect(faults { $0.boxes[2].place.y -= 60 }.contains { $0.hasPrefix("two boxes") })
  }

  @Test("and all of it can be read on a light and on a dark background")
  func contrast() throws {
    let svg = try Shipped.plan(of: "podcast").svg
    let parts = svg.components(separatedBy: "@media (prefers-color-scheme: dark)")
    #expect(parts.count == 2)
    for style in parts {
      func colour(_ rule: String) throws -> Double {
        let text = try #require(style.firstRange(of: rule), "\(rule)").upperBound
        return Self.luminance(String(style[text...].prefix(6)))
      }
      func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
      }
      let papers = try [".sheet", ".port", ".session", ".stream"].map { try colour("\($0) { fill: #") }
      let small = try colour(style == parts[0] ? ".detail { font-size: 12px; fill: #" : ".detail { fill: #")
      for paper in papers {
        // WCAG 2.1, 1.4.3 for texts and 1.4.11 for lines.
        #expect(contrast(try colour("text { fill: #"), paper) >= 7)
        #expect(contrast(small, paper) >= 4.5)
      }
      for number in 0...5 { #expect(contrast(try colour(".c\(number) { stroke: #"), papers[0]) >= 4.5) }
    }
  }

  /// The relative luminance of a colour in sRGB (WCAG 2.1).
  private static func luminance(_ colour: String) -> Double {
    let number = Int(colour, radix: 16) ?? 0
    let parts = [16, 8, 0].map { shift -> Double in
      let value = Double(number >> shift & 0xFF) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
