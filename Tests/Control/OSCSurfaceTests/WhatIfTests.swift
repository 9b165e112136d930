import Chance
import ControlInterface
import OSC
import Parameters
import Presets
import RandomEvents
import SessionModel
import Testing

@testable import OSCSurface

@Suite("What a message would change")
struct WhatIfTests {
  /// States per run; twenty times as many in `make soak`.
  private static let states = Soak.count(150, of: 3_000)

  @Test("equals what then happens, in random states and for random messages", arguments: 0..<3)
  func foresight(_ run: UInt64) throws {
    let seed = UInt64.random(in: 0...UInt64.max / 4) &* 3 &+ run
    var (source, desk, asker) = (RandomEvents(seed: seed), Desk(), Asker())
    desk.state = try LawEvents.start()
    var (accepted, refused, differences, disturbed) = (0, 0, 0, 0)
    for step in 0..<Self.states {
      for _ in 0..<12 {
        desk.time += 0.1
        try? desk.happen(source.next(desk.state))
      }
      for event in LawEvents.livening(desk.state) { try? desk.happen(event) }
      let message = Self.message(&source)
      let note = Comment(rawValue: "seed \(seed), step \(step): \(message)")
      let before = desk.state
      let foreseen = asker.ask(OSCMessage("/what/if", [.string(message.address)] + message.arguments), &desk)
      #expect(desk.state == before, note)
      let happened = asker.ask(message, &desk)
      // A deactivation may take effect and complain all the same.
      let isComplaint =
        happened.error?.first == .int32(Int32(ErrorCode.isBusy.rawValue)) && desk.state != before
      guard foreseen.error == nil, happened.error == nil || isComplaint else {
        refused += 1
        #expect(foreseen.error == happened.error, note)
        continue
      }
      accepted += 1
      let rows = foreseen.rows.filter { $0.count == 6 }.map { $0.dropFirst(2).map { $0.text ?? "" } }
      let oracle = Oracle(before, desk.state, at: desk.time)
      let told = Set(rows.map { $0[0] })
      #expect(told.count == rows.count, note)
      differences += rows.count
      disturbed += rows.filter { $0[0].hasSuffix("/why") && !$0[3].isEmpty }.count
      #expect(oracle.certain.subtracting(told).sorted() == [], "missing; \(note)")
      for row in rows where !oracle.certain.contains(row[0]) {
        // A session may be heard otherwise though its sentence stays the same, and the media have words of their own.
        let isSound = row[0].hasSuffix("/why") && !row[3].isEmpty
        #expect(isSound || Oracle.isMedia(row[0]), "too much: \(row); \(note)")
      }
      for row in rows { if let then = oracle.texts[row[0]] { #expect(row[2] == then, note) } }
    }
    // The positive control: messages were accepted and refused, changed something, and disturbed sessions.
    #expect(accepted > Self.states / 4 && refused > Self.states / 20, "seed \(seed): \(accepted) \(refused)")
    #expect(
      differences > Self.states / 2 && disturbed > 1,
      "seed \(seed): \(differences) differences, \(disturbed) disturbed")
  }

  @Test("tells that a recorder begins when the device that it waits for comes")
  func waitingRecorder() throws {
    var desk = try Desk.stage()
    desk.send("/recorder/create", "tape", "output:usb")
    desk.send("/output/usb/plugged", 0)
    desk.send("/recorder/tape/record")
    #expect(desk.state.recorders["tape"]?.state == .waiting)
    let rows = desk.send("/what/if", "/output/usb/plugged", 1).map { $0.arguments.compactMap(\.text) }
    #expect(rows.contains(["/recorder/tape/recording", "0", "1", "begins to record"]), "\(rows)")
  }

  @Test("tells the sessions that a call would interrupt, and interrupts none")
  func call() throws {
    var desk = try Desk.stage()
    desk.send("/session/music/active", 1)
    try desk.happen(.connected("music", true))
    let before = desk.state
    let answers = desk.send("/what/if", "/interruption/begin", "phone")
    #expect(desk.state == before)
    let sound = answers.first { $0.arguments.contains("/session/music/why") }
    #expect(sound?.arguments.last == "is interrupted by phone")
    #expect(answers.first == sound, "what is heard comes first")
    #expect(answers.allSatisfy { $0.arguments[1] == .int32(Int32(answers.count)) })
  }

  @Test("tells the switches of solos and talkbacks, and the sentences of monitors and talkbacks")
  func monitoring() throws {
    var desk = try Desk.stage()
    desk.send("/output/headphones/monitor/on", 1)
    desk.send("/session/music/talkback/to", "usb")
    func rows(_ address: String, _ arguments: OSCArgument...) -> [[String]] {
      desk.send(OSCMessage("/what/if", [.string(address)] + arguments)).map {
        $0.arguments.dropFirst(2).map { $0.text ?? "" }
      }
    }
    let solo = rows("/session/show/solo", 1)
    #expect(solo.first == ["/session/show/solo", "0", "1", ""])
    #expect(
      solo.contains { $0[0] == "/output/headphones/monitor/why" && $0[2].hasPrefix("hears session show") })
    let talkback = rows("/talkback/music/on", 1)
    #expect(talkback.first == ["/talkback/music/on", "0", "1", ""])
    #expect(talkback.contains { $0[0] == "/talkback/music/why" && $0[2].hasPrefix("open") })
    desk.send("/session/show/solo", 1)
    #expect(rows("/solo/clear").first == ["/session/show/solo", "1", "0", ""])
    #expect(rows("/session/show/solo", 1) == [[]])
  }

  @Test("asks about patterns, faders and bundles")
  func patterns() throws {
    var desk = try Desk.stage()
    let muted = desk.send("/what/if", "/output/*/mute", 1)
    #expect(muted.count == 4)
    #expect(muted[0].arguments == [0, 4, "/output/usb/mute", "0", "1", ""])
    #expect(desk.send("/what/if", "/output/usb/gain", 0.0) == [OSCMessage("/what/if", 0, 0)])
    // Behind another message of the bundle, only the rest is a difference.
    let behind = desk.bundle(
      OSCMessage("/output/usb/mute", 1), OSCMessage("/what/if", "/output/*/mute", 1))
    #expect(behind.filter { $0.address == "/what/if" }.count == 3)
  }

  @Test("of a recall is its preview")
  func recall() throws {
    var desk = try Desk.stage()
    var entries = Registry<PresetID, PresetEntry>()
    entries["act-2"] = PresetEntry(title: "Act 2", isLocked: false)
    try desk.happen(.preset(.library(entries, order: ["act-2"])))
    let before = desk.state
    #expect(desk.send("/what/if", "/preset/recall", "act-2").isEmpty)
    #expect(desk.errands.map(\.job) == [.preview("act-2")])
    #expect(desk.state == before)
  }

  @Test("is refused as the message would be, for a guest too, and tries no passcode")
  func refusals() throws {
    var desk = try Desk.stage(
      admission: Admission(hosts: [try #require(HostRule("10.0.0.1", right: .view))]))
    let guest = Desk.remote(HostAddress(0x0A00_0001), 9_000)
    func code(_ address: String, _ arguments: OSCArgument..., from peer: Peer = Desk.me) -> ErrorCode? {
      var copy = desk
      return copy.send(OSCMessage("/what/if", [.string(address)] + arguments), from: peer).errorCode
    }
    #expect(code("/output/usb/gain", -3.0, from: guest) == .denied)
    #expect(code("/session/remove", "show", from: guest) == .denied)
    #expect(code("/output/usb/gian", -3.0) == .unknownAddress)
    #expect(code("/output/usb/gain", 20.0) == .outOfRange)
    for address in ["/hello", "/bye", "/subscribe", "/get", "/request", "/what/if", "/system/info"] {
      #expect(code(address, "0000") == .badValue, "\(address)")
    }
    #expect(code("/output/usb/gain") == .badValue)
    #expect(code("/preset/store", "act-1") == .badValue)
    desk.state = try locked(desk)
    #expect(code("/output/usb/gain", -3.0) == nil)
  }

  private func locked(_ desk: Desk) throws -> RouterState {
    var copy = desk
    copy.send("/system/lock", 1)
    return copy.state
  }

  /// A random message about what the random events make.
  private static func message(_ source: inout RandomEvents) -> OSCMessage {
    func pick<Element>(_ elements: [Element]) -> Element { elements[source.number(below: elements.count)] }
    let (session, stream) = (pick(LawEvents.sessions.map(\.name)), pick(["main", "click"]))
    let (output, input) = (pick(["spk", "usb", "ear", "phones", "bt"]), pick(["mic", "usb"]))
    let path = "/session/\(session)"
    let flag = OSCArgument.int32(Int32(source.number(below: 2)))
    let level = OSCArgument.float(pick([-95, -90, -20, -6, 0, 3]))
    let category = OSCArgument.string(pick(["ambient", "playback", "playAndRecord", "multiRoute", "record"]))
    let options = OSCArgument.string(pick(["none", "mixWithOthers", "duckOthers"]))
    return pick([
      OSCMessage("\(path)/active", flag), OSCMessage("\(path)/active", 1), OSCMessage("\(path)/gain", level),
      OSCMessage("\(path)/gain/fade", level, 3.0), OSCMessage("\(path)/mute", flag),
      OSCMessage("\(path)/priority", .string(pick(["normal", "call", "alert"]))),
      OSCMessage("\(path)/foreground", flag), OSCMessage("\(path)/output", .string(output)),
      OSCMessage("\(path)/set", category, "default", options), OSCMessage("\(path)/io/output", "stopped"),
      OSCMessage("/session/create", .string(session), category, "default", options),
      OSCMessage("/session/remove", .string(session)),
      OSCMessage("\(path)/stream/create", .string(stream), 2),
      OSCMessage("\(path)/stream/remove", .string(stream)),
      OSCMessage("\(path)/stream/\(stream)/to/\(output)/on", flag),
      OSCMessage("\(path)/stream/\(stream)/to/\(output)/gain", level),
      OSCMessage("\(path)/stream/\(stream)/mute", flag),
      OSCMessage("\(path)/capture/input/\(input)/on", flag),
      OSCMessage("/session/*/mute", flag), OSCMessage("/output/*/gain", level),
      OSCMessage("/output/\(output)/mute", flag), OSCMessage("/output/\(output)/delay", 0.1),
      OSCMessage("/output/\(output)/maximum", level), OSCMessage("/input/\(input)/hardware", flag),
      OSCMessage("/silent", flag), OSCMessage("/system/panic", flag), OSCMessage("/duck/level", -20.0),
      OSCMessage("/interruption/begin", "phone"), OSCMessage("/interruption/end", "phone"),
      OSCMessage("/interruption/clear"), OSCMessage("/interruption/door/on", flag),
      OSCMessage("/player/walkin/play"), OSCMessage("/player/jingle/pause"),
      OSCMessage("/recorder/tape/stop"), OSCMessage("\(path)/gain", "loud"),
    ])
  }

  /// Sends requests, so that no limit of errors hides a refusal.
  private struct Asker {
    private var id: Int32 = 0

    /// The rows and values that are answered, or code, symbol and sentence of the error.
    mutating func ask(
      _ message: OSCMessage, _ desk: inout Desk
    ) -> (rows: [[OSCArgument]], error: [OSCArgument]?) {
      id += 1
      let answers = desk.send(
        OSCMessage("/request", [.int32(id), .string(message.address)] + message.arguments))
      guard let response = answers["/response"], response.count >= 3 else { return ([], []) }
      guard response[1] == .int32(0) else { return ([], [response[1]] + response[3...]) }
      let rows = answers.filter { $0.address == message.address }.map(\.arguments)
      return (rows.isEmpty ? [Array(response[3...])] : rows, nil)
    }
  }

  /// All that differs between two states, found by reading everything.
  private struct Oracle {
    /// The addresses that must be told.
    private(set) var certain: Set<String> = []
    /// The coming values of switches and texts.
    private(set) var texts: [String: String] = [:]

    init(_ before: RouterState, _ after: RouterState, at time: Double) {
      let sessions = Set(before.sessions.keys + after.sessions.keys)
      for id in sessions {
        func why(_ state: RouterState) -> String? { state.sessions[id].map { state.why($0, state.activity) } }
        if why(before) != why(after) { certain.insert("/session/\(id)/why") }
        guard let old = before.sessions[id], let new = after.sessions[id] else { continue }
        for stream in Set(old.streams.keys).symmetricDifference(new.streams.keys) {
          certain.insert("/session/\(id)/stream/\(stream)")
        }
      }
      func objects(_ state: RouterState) -> Set<String> {
        Set(
          state.sessions.keys.map { "/session/\($0)" } + state.outputs.keys.map { "/output/\($0)" }
            + state.inputs.keys.map { "/input/\($0)" } + state.players.keys.map { "/player/\($0)" }
            + state.recorders.keys.map { "/recorder/\($0)" })
      }
      let objects = (objects(before), objects(after))
      certain.formUnion(objects.0.symmetricDifference(objects.1))
      for id in sessions where before.sessions[id]?.category != after.sessions[id]?.category {
        // The object's text is its category.
        if before.sessions.contains(id), after.sessions.contains(id) { certain.insert("/session/\(id)") }
      }
      for player in after.players.values
      where before.players[player.id]?.isPlaying ?? false != player.isPlaying {
        certain.insert("/player/\(player.id)/playing")
      }
      for recorder in after.recorders.values
      where before.recorders[recorder.id]?.isRecording ?? false != recorder.isRecording {
        certain.insert("/recorder/\(recorder.id)/recording")
      }
      for parameter in Table.parameters where Self.isSetting(parameter) {
        for target in Set(parameter.targets(in: before)).union(parameter.targets(in: after)) {
          let new = parameter.wantedValue(at: target, in: after)
          guard parameter.wantedValue(at: target, in: before) != new else { continue }
          guard Self.exists(target, before), Self.exists(target, after) else { continue }
          let address = parameter.address(at: target)
          certain.insert(address)
          switch new {
          case .flag(let isOn): texts[address] = isOn ? "1" : "0"
          case .text(let text): texts[address] = text
          default: break
          }
        }
      }
    }

    /// Whether an address is one of the words about players and recorders that are no settings.
    static func isMedia(_ address: String) -> Bool {
      ["file", "position", "playing", "recording"].contains(address.split(separator: "/").last ?? "")
        && ["/player/", "/recorder/"].contains { address.hasPrefix($0) }
    }

    /// Other views of a setting, and the settings of recalls, are not told.
    private static func isSetting(_ parameter: Parameter) -> Bool {
      parameter.isWritable && !parameter.address.hasPrefix("/preset/")
        && !parameter.address.hasPrefix("/session/<s>/option/")
        && !["/session/<s>/options/mask", "/session/<s>/stream/<t>/route"].contains(parameter.address)
    }

    private static func exists(_ target: Target, _ state: RouterState) -> Bool {
      if let id = target.player { return state.players.contains(id) }
      if let id = target.recorder { return state.recorders.contains(id) }
      guard let id = target.session else { return true }
      guard let session = state.sessions[id] else { return false }
      return target.stream.map(session.streams.contains) ?? true
    }
  }
}
