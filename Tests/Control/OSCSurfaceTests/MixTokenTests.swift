import ControlInterface
import OSC
import Parameters
import SessionModel
import SessionPolicy
import Synchronization
import Testing

@testable import OSCSurface

/// Tokens for mixes: their holder controls the sends into one output and its level, and nothing else.
@Suite struct MixTokenTests {
  /// A desk whose host may control everything, with a token for the headphones.
  struct Rig {
    var desk: Desk
    /// Seconds since 1970 by the clock of the tokens.
    let clock: Clock
    let kept = Kept()

    final class Clock: Sendable {
      let now = Mutex(1_000_000.0)
      func advance(_ seconds: Double) { now.withLock { $0 += seconds } }
    }

    final class Kept: Sendable { let tokens = Mutex<[MixToken]>([]) }

    static let host = HostAddress(0x0A00_0001)
    static let phone = Desk.remote(host, 9_000)
    static let web = Peer(transport: WebSocketTransport.transport, host: host, endpoint: 1)

    init(_ right: Right, tokens: [MixToken]? = nil, presentedBy peer: Peer? = nil) throws {
      (desk, clock) = (try Example.desk(), Clock())
      let rules = [try #require(HostRule("10.0.0.1", right: right))]
      let tools = MixTokens.Tools(
        hash: { $0.isEmpty ? nil : "hash of \($0)" }, now: { [clock] in clock.now.withLock(\.self) },
        keep: { [kept] tokens in kept.tokens.withLock { $0 = tokens } })
      desk.surface = Surface(
        identity: desk.surface.identity, admission: Admission(hosts: rules, passcodes: ["4711": .admin]),
        tokens: MixTokens(tokens ?? [], tools), law: desk.surface.law)
      if tokens == nil {
        _ = try desk.surface.addToken("headphones", name: "Anna", seconds: 3_600, hash: "hash of secret")
      }
      if let peer { #expect(desk.send("/token", "secret", from: peer)["/token/welcome"]?[1] == "headphones") }
    }
  }

  private static func isOwn(_ address: String) -> Bool {
    let sends = "/session/show/stream/main/to/headphones/"
    return ["on", "gain", "pan", "solo"].contains { address == sends + $0 }
  }

  private static let transports = [Rig.phone, Rig.web]

  @Test("Of all addresses that can be set only the own sends can", arguments: Example.ofWritable)
  func sets(_ example: Example) throws {
    for right in [Right.mix, .view, .control, .admin] {
      var rig = try Rig(right, presentedBy: Rig.web)
      let before = rig.desk.state
      let answers = rig.desk.send(OSCMessage(example.address, example.value), from: Rig.web)
      if Self.isOwn(example.address) {
        #expect(answers.errors.isEmpty, "\(right)")
        #expect(rig.desk.get(example.address) == example.value)
      } else {
        // A refusal tells no value, either.
        #expect(answers.count == 1 && answers.errorCode == .denied, "\(right): \(answers)")
        #expect(rig.desk.state == before)
      }
    }
  }

  @Test(
    "Of all addresses that can be read only those of the mix are, and never by a pattern",
    arguments: Example.ofWritable + Example.ofReadOnly)
  func reads(_ example: Example) throws {
    var rig = try Rig(.control, presentedBy: Rig.phone)
    let isOwn = MixScope(output: "headphones").reads(example.address)
    let plain = rig.desk.send(OSCMessage(example.address, []), from: Rig.phone)
    let got = rig.desk.send("/get", .string(example.address), from: Rig.phone)
    #expect((plain.errorCode == .denied) == !isOwn && (got.errorCode == .denied) == !isOwn, "\(plain) \(got)")
    rig.desk.time += 1
    let pattern = "/*" + example.address.dropFirst().drop { $0 != "/" }
    let heard = rig.desk.send("/get", .string(pattern), from: Rig.phone)
    #expect(
      heard.allSatisfy { $0.address == "/error" || MixScope(output: "headphones").reads($0.address) },
      "\(heard)")
  }

  @Test(
    "Every command but those that concern the sender is denied",
    arguments: Table.parameters.filter { $0.isCommand || $0.isMeter }.map(\.address))
  func commands(_ template: String) throws {
    var rig = try Rig(.admin, presentedBy: Rig.phone)
    var address = template
    for (place, id) in [
      ("<s>", "show"), ("<t>", "main"), ("<o>", "usb"), ("<i>", "usb"), ("<c>", "show"), ("<p>", "walkin"),
      ("<r>", "tape"), ("<n>", "1"), ("<x>", "music"), ("<id>", "act"), ("<source>", "phone"),
      ("<strip>", "1"), ("<bank>", "2"), ("<e>", "2"), ("<meter>", "gain"),
    ] { address = address.replacing(place, with: id) }
    let before = rig.desk.state
    let answers = rig.desk.send(OSCMessage(address, ["x"]), from: Rig.phone)
    let own = [
      "/hello", "/token", "/bye", "/ping", "/request", "/subscribe", "/unsubscribe", "/snapshot", "/resync",
      "/sync", "/get",
    ]
    let isOwn =
      own.contains(address) || address.hasPrefix("/client/") || MixScope(output: "headphones").reads(address)
    if !isOwn { #expect(answers.count == 1 && answers.errorCode == .denied, "\(answers)") }
    #expect(rig.desk.state == before)
    #expect(rig.desk.errands.isEmpty)
  }

  @Test("The own level and sends obey every form of a set, and the maxima", arguments: transports)
  func own(_ peer: Peer) throws {
    var rig = try Rig(.view, presentedBy: peer)
    let send = "/session/show/stream/main/to/headphones"
    for (leaf, value) in [
      ("gain", -20.0), ("fader", 0.5), ("gain/inc", 1), ("fader/inc", 0.1), ("gain/reset", 1),
    ] {
      #expect(
        rig.desk.send(OSCMessage("\(send)/\(leaf)", .float(Float(value))), from: peer).errors.isEmpty,
        "\(leaf)")
      #expect(
        rig.desk.send(OSCMessage("/output/headphones/\(leaf)", .float(Float(value))), from: peer).errors
          .isEmpty, "\(leaf)")
    }
    #expect(rig.desk.send("\(send)/on/toggle", 1, from: peer).errors.isEmpty)
    rig.desk.send("/output/headphones/max", -10)
    rig.desk.send("/output/headphones/gain", 0, from: peer)
    #expect(rig.desk.get("/output/headphones/gain") == [-10.0])
    #expect(rig.desk.send("/output/headphones/max", 0, from: peer).errorCode == .denied)
    rig.desk.send("/session/show/stream/main/never", "headphones")
    #expect(rig.desk.send("\(send)/on", 1, from: peer).errors.count == 1)
    #expect(rig.desk.send("/output/usb/gain", -3, from: peer).errorCode == .denied)
    #expect(rig.desk.send("/{output,session}/*/gain", -3, from: peer).errorCode == .denied)
    // The guard has ended the send.
    rig.desk.send("/session/show/stream/main/never", "none")
    for output in ["usb", "headphones"] {
      rig.desk.send(.init("/session/show/stream/main/to/\(output)/on", 1))
    }
    rig.desk.time += 2
    #expect(rig.desk.send("/session/*/stream/*/to/*/gain", -3, from: peer).errors.count == 1)
    #expect(rig.desk.send("/session/*/stream/*/to/headphones/gain", -3, from: peer).errors.isEmpty)
    rig.desk.time += 2
    #expect(rig.desk.send("/request", 7, "/output/usb/gain", -3, from: peer)["/response"]?[1] != 0)
    let whole = rig.desk.bundle(
      OSCMessage("\(send)/gain", -7), OSCMessage("/session/show/gain", -7), from: peer)
    #expect(whole.errors.count == 1 && rig.desk.get("\(send)/gain") != [-7.0])
  }

  @Test("Feedback has the mix alone: snapshots, changes, events and meters", arguments: transports)
  func feedback(_ peer: Peer) throws {
    var rig = try Rig(.control)
    // What the client got before it showed its token ends.
    rig.desk.send("/subscribe", "/session", from: peer)
    rig.desk.wait(1, as: peer)
    #expect(rig.desk.send("/token", "secret", from: peer)["/token/welcome"] != nil)
    for pattern in ["", "/*", "/event", "/meter", "/output"] {
      rig.desk.send("/subscribe", .string(pattern), from: peer)
    }
    var heard = rig.desk.wait(2, as: peer)
    rig.desk.send("/session/show/gain", -9)
    rig.desk.send("/output/usb/gain", -9)
    rig.desk.send("/output/headphones/gain", -9)
    rig.desk.send("/session/show/stream/main/to/headphones/gain", -9)
    rig.desk.send("/session/create", "new", "playback")
    heard += rig.desk.wait(1, as: peer)
    let scope = MixScope(output: "headphones")
    let strange = heard.filter {
      !scope.reads($0.address) && !["/snapshot/end", "/alive"].contains($0.address)
    }
    #expect(strange.isEmpty, "\(strange)")
    #expect(heard["/output/headphones/gain"] == [-9.0])
    #expect(heard["/session/show/stream/main/to/headphones/gain"] == [-9.0])
    #expect(heard["/session/show/name"] != nil)
  }

  @Test(
    "A withdrawn token has no right from that moment, and its client is told and gets nothing more",
    arguments: transports)
  func withdrawal(_ peer: Peer) throws {
    var rig = try Rig(.control, presentedBy: peer)
    let send = "/session/show/stream/main/to/headphones/gain"
    rig.desk.send("/subscribe", from: peer)
    rig.desk.wait(1, as: peer)
    #expect(rig.desk.send("/token/list")["/token/list"]?.suffix(1) == [1])
    #expect(rig.desk.send("/token/withdraw", "Bert").errorCode == .notFound)
    #expect(rig.desk.send("/token/withdraw", "Anna").isEmpty)
    #expect(rig.desk.wait(0, as: peer) == [OSCMessage("/token/ended", "Anna", "it was withdrawn")])
    #expect(rig.desk.send(OSCMessage(send, -5), from: peer).errorCode == .denied)
    #expect(rig.desk.send("/get", .string(send), from: peer).errorCode == .denied)
    rig.desk.send(OSCMessage(send, -6))
    #expect(rig.desk.wait(1, as: peer).isEmpty)
    rig.desk.time += 11
    #expect(rig.desk.send("/token", "secret", from: peer).errorCode == .denied)
    let kept = rig.kept.tokens.withLock(\.self)
    #expect(kept.isEmpty)
    // Who leaves and comes back is what its host is.
    #expect(rig.desk.send("/bye", from: peer) == [])
    #expect(rig.desk.send(OSCMessage(send, -7), from: peer).errors.isEmpty)
  }

  @Test("A token ends at its time, with and without a message of its client")
  func expiry() throws {
    var rig = try Rig(.mix, presentedBy: Rig.web)
    rig.clock.advance(3_599)
    rig.desk.wait(1, as: Rig.web)
    #expect(rig.desk.send("/output/headphones/gain", -5, from: Rig.web).errors.isEmpty)
    rig.clock.advance(1)
    #expect(rig.desk.send("/output/headphones/gain", -6, from: Rig.web).errorCode == .denied)
    let due = rig.desk.surface.nextDue(at: rig.desk.time)
    #expect(due == rig.desk.time)
    let heard = rig.desk.wait(0.01, as: Rig.web)
    #expect(heard["/token/ended"] == ["Anna", "its time is over"])
    #expect(rig.desk.send("/token/list")["/token/list"] == [0, 0])
  }

  @Test("The tokens of an earlier run hold, and those whose time is over do not; no secret is kept")
  func restart() throws {
    let first = try Rig(.mix)
    let kept = first.kept.tokens.withLock(\.self)
    #expect(kept.map(\.hash) == ["hash of secret"])
    var next = try Rig(.mix, tokens: kept)
    #expect(next.desk.send("/token", "secret", from: Rig.phone)["/token/welcome"]?[2] == "Anna")
    var late = try Rig(
      .mix, tokens: kept.map { MixToken(id: $0.id, name: $0.name, output: $0.output, end: 1, hash: $0.hash) })
    #expect(late.desk.send("/token", "secret", from: Rig.phone).errorCode == .denied)
    #expect(try late.desk.surface.addToken("usb", name: "Bert", seconds: 60, hash: "x").id == kept[0].id + 1)
  }

  @Test("A host with the permission mix may only present a token or a passcode")
  func mixHost() throws {
    var rig = try Rig(.mix)
    for message in [
      OSCMessage("/session/show/gain"), OSCMessage("/session/show/gain", -3), OSCMessage("/subscribe"),
      OSCMessage("/snapshot"), OSCMessage("/get", "/ramp"), OSCMessage("/*/*/gain"),
      OSCMessage("/system/info"),
    ] {
      #expect(rig.desk.send(message, from: Rig.phone).errorCode == .denied, "\(message)")
      rig.desk.time += 1
    }
    #expect(rig.desk.send("/hello", "phone", from: Rig.phone)["/welcome"]?[1] == "mix")
    #expect(rig.desk.wait(2, as: Rig.phone).isEmpty)
    #expect(rig.desk.send("/hello", "phone", "4711", from: Rig.phone)["/welcome"]?[1] == "admin")
    #expect(rig.desk.send("/output/usb/gain", -3, from: Rig.phone).errors.isEmpty)
  }

  @Test("After three wrong tokens the host must wait ten seconds, however it comes")
  func wrongTokens() throws {
    var rig = try Rig(.control)
    for port in 1...3 {
      let answers = rig.desk.send("/token", "guess", from: Rig.phone.withPort(UInt16(port)))
      #expect(answers.errorCode == .denied)
    }
    #expect(rig.desk.send("/token", "secret", from: Rig.web).errorCode == .denied)
    rig.desk.time += 10.1
    #expect(rig.desk.send("/token", "secret", from: Rig.web)["/token/welcome"] != nil)
  }

  @Test("The errands and errors of tokens")
  func making() throws {
    var rig = try Rig(.control)
    #expect(rig.desk.send("/token/make", "headphones", from: Rig.phone).errorCode == .denied)
    #expect(rig.desk.send("/token/make", "nothing").errorCode == .notFound)
    #expect(rig.desk.send("/token/make", "headphones", 0.001).errorCode == .outOfRange)
    #expect(rig.desk.send("/token/make", "headphones", 3, "Anna").errorCode == .badValue)
    #expect(rig.desk.send("/token/make", "headphones", 3, "Bert").isEmpty)
    #expect(rig.desk.errands.map(\.job) == [.token("headphones", name: "Bert", seconds: 10_800)])
    rig.desk.send("/token/code", "http://x")
    #expect(rig.desk.errands.last?.job == .code("http://x"))
  }
}
