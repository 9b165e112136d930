import ControlInterface
import JSON5
import OSC
import Parameters
import Presets
import SessionModel
import SessionPolicy
import Testing

@testable import OSCSurface

/// Tests every address of the table for the properties that its row declares. A new row needs no new test.
@Suite("Every address of the table")
struct EveryAddressTests {
  @Test("reads a value of its kind, and reads what was set", arguments: Example.ofWritable)
  func reads(_ example: Example) throws {
    var desk = try Example.desk()
    let answer = desk.get(example.address)
    let before = try #require(answer)
    #expect(example.parameter.promises(before), "\(before)")
    #expect(before != example.value, "the example is no other value")
    #expect(desk.send(OSCMessage(example.address, example.value)).errors.isEmpty)
    #expect(desk.get(example.address) == example.value)
  }

  @Test(
    "refuses values that its kind does not accept, and then changes nothing", arguments: Example.ofWritable)
  func refuses(_ example: Example) throws {
    var desk = try Example.desk()
    let before = desk.state
    for (arguments, code) in example.parameter.refused {
      #expect(desk.send(OSCMessage(example.address, arguments)).errorCode == code, "\(arguments)")
      #expect(desk.state == before, "\(arguments)")
    }
    #expect(!example.parameter.refused.isEmpty)
  }

  @Test(
    "answers a number beyond its range with the end of the range",
    arguments: Example.ofWritable.filter { $0.parameter.kind.numbers != nil })
  func clamps(_ example: Example) throws {
    var desk = try Example.desk()
    let range = try #require(example.parameter.kind.numbers)
    let answers = desk.send(example.address, .float(Float(range.upperBound + 1)))
    #expect(answers == [OSCMessage(example.address, .float(Float(range.upperBound)))])
  }

  @Test("that is read-only reads a value of its kind, and refuses every set", arguments: Example.ofReadOnly)
  func readOnly(_ example: Example) throws {
    var desk = try Example.desk()
    let answer = desk.get(example.address)
    let value = try #require(answer)
    #expect(example.parameter.promises(value), "\(value)")
    let before = desk.state
    #expect(desk.send(OSCMessage(example.address, value)).errorCode == .readOnly)
    #expect(desk.state == before)
  }

  @Test("needs a permission above view", arguments: Example.ofWritable)
  func rights(_ example: Example) throws {
    var desk = try Example.desk()
    let guest = Desk.remote(HostAddress(0x0A00_0001), 9_000)
    desk.surface = Surface(
      identity: desk.surface.identity,
      admission: Admission(hosts: [try #require(HostRule("10.0.0.1", right: .view))]),
      law: desk.surface.law)
    #expect(desk.send(OSCMessage(example.address, example.value), from: guest).errorCode == .denied)
  }

  @Test("feeds back to a subscriber when another client sets it", arguments: Example.ofWritable)
  func feedsBack(_ example: Example) throws {
    var desk = try Example.desk()
    desk.send("/subscribe", .string(example.address), from: Desk.other)
    desk.wait(1, as: Desk.other)
    desk.send(OSCMessage(example.address, example.value))
    let heard = desk.wait(0.1, as: Desk.other)
    // A value that moves by itself, such as the time to a scheduled start, has gone on meanwhile.
    let isMoving = example.parameter.isMoving(Moment(desk.state, at: desk.time), example.target)
    if isMoving, case .transport = example.parameter.binding {
      #expect(heard[example.address] != nil)
    } else {
      #expect(heard[example.address] == example.value)
    }
  }

  @Test(
    "is kept, and set again after a crash",
    arguments: Example.ofWritable.filter { $0.parameter.isSetting })
  func kept(_ example: Example) throws {
    var desk = try Example.desk()
    #expect(desk.send(OSCMessage(example.address, example.value)).errors.isEmpty)
    let head = KeptHead(preset: "show", path: "/show.json", hash: "0", time: "")
    let text = KeptDocument.json(of: desk.state, head: head).text
    let kept = try #require(KeptDocument(Array(text.utf8), file: "kept.json"))
    var next = try Example.desk()
    next.state = kept.restored(over: next.state, at: next.time, .everything, law: next.surface.law).state
    #expect(next.get(example.address) == example.value)
  }

  @Test(
    "with a preset key gets the value of the preset",
    arguments: Example.ofWritable.filter { $0.parameter.key != nil })
  func recalled(_ example: Example) throws {
    let desk = try Example.desk()
    let text = try #require(example.preset)
    let source = PresetSource(id: "show", file: "show.json", bytes: Array(text.utf8))
    let (preset, problems) = PresetReader { state, event, time throws(SessionError) in
      try Policy.reduce(&state, event, at: time)
    }.read(source) { id throws(PresetLibraryError) in
      throw .unknown(id: id.name, folders: [], nearest: nil)
    }
    #expect(problems.filter { $0.severity == .error }.map(\.description) == [], "\(text)")
    var state = desk.state
    for event in try #require(preset).events(for: state) {
      _ = try Policy.reduce(&state, event, at: desk.time)
    }
    let value = example.parameter.read(Moment(state, at: desk.time), example.target)
    #expect(value?.arguments == example.value, "\(text)")
  }

  @Test("stands in docs/reference/osc.md, with its kind and meaning", arguments: Table.parameters)
  func documented(_ parameter: Parameter) {
    let row = ReferencePage.rows[parameter.address]
    #expect(row?.contains(parameter.kind.name) == true && row?.contains(parameter.summary) == true)
  }

  @Test("is described by /system/describe", arguments: Example.ofWritable + Example.ofReadOnly)
  func described(_ example: Example) throws {
    var desk = try Example.desk()
    let answer = desk.send("/system/describe", .string(example.address))
    #expect(answer["/system/describe"]?.contains(.string(example.parameter.summary)) == true)
  }

  @Test("An address without one of these properties is found: the checks can fail")
  func control() throws {
    var desk = try Example.desk()
    #expect(desk.get("/session/show/nothing") == nil)
    #expect(desk.send("/session/show/gain", "loud").errorCode != .outOfRange)
    #expect(Example.ofWritable.count > 80 && Example.ofReadOnly.count > 20)
  }
}

extension Parameter {
  /// Whether an answer is of the type that the kind promises.
  fileprivate func promises(_ arguments: [OSCArgument]) -> Bool {
    if case .inheritable = kind, arguments == ["inherit"] { return true }
    if kind == .inheritableToggle, arguments == ["inherit"] { return true }
    if case .limit = kind, arguments == ["off"] { return true }
    let (tags, promised) = (arguments.map { Character($0.typeTag) }, kind.tags)
    return promised.hasSuffix("...")
      ? !tags.isEmpty && tags.allSatisfy { $0 == promised.first } : tags == Array(promised)
  }
}
