import ControlInterface
import OSC
import SessionModel
import Testing

@testable import OSCSurface

@Suite("Voice processing over OSC")
struct VoiceAddressTests {
  private static let parts = ["echo", "noise", "level", "highpass"]

  /// A stage with the calls `call` (voiceChat) and `talk` (default), which capture the microphone.
  private func stage() throws -> Desk {
    var desk = try Desk.stage()
    desk.send("/session/create", "call", "playAndRecord", "voiceChat", "mixWithOthers")
    desk.send("/session/create", "talk", "playAndRecord")
    return desk
  }

  @Test("A switch reads inherit until it is set, takes every form of a switch, and inherit gives it up")
  func switches() throws {
    var desk = try stage()
    for part in Self.parts {
      let address = "/session/call/voice/\(part)"
      #expect(desk.get(address) == ["inherit"])
      for (sent, read) in [
        (0, [0]), (1, [1]), (.boolean(false), [0]), ("on", [1]), ("inherit", ["inherit"]), ("off", [0]),
        ("Inherit", ["inherit"]),
      ] as [(OSCArgument, [OSCArgument])] {
        #expect(desk.send(address, sent).isEmpty, "\(sent)")
        #expect(desk.get(address) == read, "\(sent)")
      }
      #expect(desk.send(address, "perhaps").errorCode == .badValue)
    }
    let description = desk.send("/system/describe", "/session/call/voice/echo")["/system/describe"]
    #expect(description?[3...5] == ["control", "switch or inherit", "inherit"])
  }

  @Test("A client that wants booleans gets the switch as one, and the word inherit as a text")
  func booleans() throws {
    var desk = try stage()
    desk.send("/hello", "tablet")
    desk.send("/client/boolean", "tf")
    desk.send("/session/call/voice/noise", 0)
    #expect(desk.get("/session/call/voice/noise") == [.boolean(false)])
    desk.send("/session/call/voice/noise", "inherit")
    #expect(desk.get("/session/call/voice/noise") == ["inherit"])
  }

  @Test(
    "Switching the echo canceller on in the mode default sets voiceChat, and /event/category and the leaves say so"
  )
  func implicitMode() throws {
    var desk = try stage()
    desk.send("/subscribe", "/event/*")
    desk.send("/subscribe", "/session/talk/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let told = Desk.told(desk.send("/session/talk/voice/echo", 1))
    #expect(told.contains("/event/category talk playAndRecord voiceChat allowBluetoothHFP"))
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/session/talk/mode"] == ["voiceChat"])
    #expect(heard["/session/talk/option/allowBluetoothHFP"] == [1])
    #expect(desk.get("/session/talk/voice/echo") == [1])
    desk.send("/session/talk/mode", "default")
    #expect(desk.get("/session/talk/voice/echo") == ["inherit"])
  }

  @Test("In any other category or mode a part cannot be switched on: -50; switching it off is no error")
  func refused() throws {
    var desk = try stage()
    desk.send("/session/talk/mode", "measurement")
    for session in ["talk", "music", "show"] {
      for part in Self.parts {
        let address = "/session/\(session)/voice/\(part)"
        let answer = desk.send(address, 1)
        #expect(answer.errorCode == .badParam)
        #expect(answer.errors.first?.arguments.last?.text?.contains("voiceChat") == true)
        #expect(desk.send(address, 0).isEmpty)
        #expect(desk.get(address) == ["inherit"])
      }
    }
    desk.send("/session/talk/mode", "default")
    #expect(desk.send("/session/talk/voice/noise", 1).errorCode == .badParam)
  }

  @Test("/what/if tells the mode that the echo canceller would set, and changes nothing")
  func foresight() throws {
    var desk = try stage()
    let rows = desk.send("/what/if", "/session/talk/voice/echo", 1).map { "\($0.arguments)" }
    #expect(rows.contains { $0.contains("/session/talk/mode") && $0.contains("voiceChat") })
    #expect(desk.get("/session/talk/mode") == ["default"])
  }

  @Test("What the processing reports is read-only and told to subscribers; its latency counts in latency/in")
  func report() throws {
    var desk = try stage()
    desk.send("/subscribe", "/session/call/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    var report = VoiceReport()
    (report.state, report.latency) = (.late, 0.0246)
    try desk.happen(.voiceReported("call", report))
    let heard = desk.wait(0.2, as: Desk.other)
    #expect(heard["/session/call/voice/state"] == ["late"])
    #expect(heard["/session/call/latency/in"] == [.float(0.0246)])
    for leaf in ["state", "delay", "erle"] {
      #expect(desk.send("/session/call/voice/\(leaf)", 1).errorCode == .readOnly)
    }
    #expect(desk.get("/session/talk/voice/state") == ["off"])
  }

  @Test(
    "The echo that is removed is measured: only subscribers that name it hear of it, and no snapshot has it")
  func reduction() throws {
    var desk = try stage()
    desk.send("/subscribe", "/session/call/voice/*", from: Desk.other)
    desk.wait(1, as: Desk.other)
    let before = desk.state
    #expect(desk.get("/session/call/voice/erle") == nil)
    desk.state.loop.voices["call"] = 31.5
    let change = Change(from: before, to: desk.state, events: [], at: desk.time)
    let heard = desk.surface.publishMeasurements(change).datagrams.filter { $0.peer == Desk.other }
    #expect(
      heard.flatMap(\.packet.messages).contains(OSCMessage("/session/call/voice/erle", .float(31.5))))
    #expect(desk.get("/session/call/voice/erle") == [.float(31.5)])
    #expect(!desk.snapshot("/session/call/*").messages.contains { $0.address.hasSuffix("erle") })
  }

  @Test("The outputs that a microphone hears: default, none, or a list in which absent ones may stand")
  func outputs() throws {
    var desk = try stage()
    #expect(desk.get("/input/mic/echo") == ["default"])
    for (sent, read) in [
      (["mono", "usb"], ["mono", "usb"]), (["none"], ["none"]), (["attic"], ["attic"]),
      (["default"], ["default"]), (["usb", "usb"], ["usb"]),
    ] as [([OSCArgument], [OSCArgument])] {
      #expect(desk.send(OSCMessage("/input/mic/echo", sent)).isEmpty)
      #expect(desk.get("/input/mic/echo") == read)
    }
    #expect(desk.send("/input/mic/echo", "No Slug").errorCode == .badValue)
    #expect(desk.send("/input/mic/echo", "default", "usb").errorCode == .badValue)
    #expect(desk.get("/input/mic/echo") == ["usb"])
  }
}
