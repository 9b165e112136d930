import ControlInterface
import OSC
import Parameters
import SessionModel
import Synchronization
import Testing

@testable import OSCSurface

/// Tests the answers to single questions, with their statuses of HTTP.
@Suite("Questions of OSCQuery")
struct QueryQuestionTests {
  @Test(
    "are about a node, one attribute, or the host",
    arguments: [
      ("/", nil, .node("/")), ("/a/b", "", .node("/a/b")), ("/a", "VALUE", .attribute("/a", named: "VALUE")),
      ("/a", "VALUE=", .attribute("/a", named: "VALUE")), ("/", "HOST_INFO", .host),
      ("/a", "HOST_INFO=1", .host),
      ("/a", "LISTEN=TRUE", .attribute("/a", named: "LISTEN")), ("/a", "=1", .attribute("/a", named: "")),
      ("/a", "VALUE&TYPE", .attribute("/a", named: "VALUE&TYPE")),
    ] as [(String, String?, QueryQuestion)])
  func parse(_ path: String, _ query: String?, _ question: QueryQuestion) {
    #expect(QueryQuestion(path: path, query: query) == question)
  }

  @Test(
    "get the status that OSCQuery defines",
    arguments: [
      ("/", nil, 200), ("/session/show", nil, 200), ("/session/show/gain", "VALUE", 200),
      ("/session/show/gain", "UNIT", 200), ("/session/list", "VALUE", 204),
      ("/session/show/gain", "HTML", 400),
      ("/session/show/gain", "LISTEN=TRUE", 400), ("/", "ADD_NODE=x", 400),
      ("/session/show/gain", "value", 400),
      ("/session/show/gain", "VALUE&TYPE", 400), ("/session/nobody", nil, 404),
      ("/session/nobody", "VALUE", 404),
      ("/session/show/gain/inc", nil, 404), ("/session/show/override/speaker", nil, 404), ("//", nil, 404),
      ("/session/", nil, 404), ("/session//show", nil, 404), ("/../session", nil, 404), ("session", nil, 404),
      ("", nil, 404), ("/nothing", "HOST_INFO", 200), ("/session/show/options/mask", nil, 200),
      ("/session/show/\u{0}", nil, 404), ("/session/*", nil, 404),
    ] as [(String, String?, Int)])
  func statuses(_ path: String, _ query: String?, _ status: Int) throws {
    #expect(try Example.desk().ask(path, query).status == status)
  }

  @Test("for an attribute get that attribute alone, and nothing of a node that does not have it")
  func attributes() throws {
    let desk = try Example.desk()
    for (path, query, text) in [
      ("/session/show", "TYPE", "{}"), ("/session/show", "VALUE", "{}"),
      ("/session/show", "DESCRIPTION", "{}"),
      ("/session/show", "ACCESS", #"{"ACCESS":0}"#), ("/session/show/gain", "CONTENTS", "{}"),
      ("/session/show/name", "RANGE", "{}"), ("/session/show/gain", "ACCESS", #"{"ACCESS":3}"#),
      ("/session/show/gain", "UNIT", #"{"UNIT":["gain.db"]}"#),
      ("/session/show/gain", "CLIPMODE", #"{"CLIPMODE":["none"]}"#),
      ("/session/show/gain", "TAGS", #"{"TAGS":["level","gain"]}"#),
      ("/session/show/gain", "FULL_PATH", #"{"FULL_PATH":"/session/show/gain"}"#),
      ("/session/voice/voice/erle", "VALUE", "{}"), ("/session/list", "TYPE", #"{"TYPE":"I"}"#),
      ("/session/show/mute", "CRITICAL", #"{"CRITICAL":true}"#),
    ] {
      #expect(desk.ask(path, query) == QueryAnswer(200, text), "\(path)?\(query)")
    }
    let contents = desk.ask("/session/show/capture", "CONTENTS").text
    #expect(contents.hasPrefix(#"{"CONTENTS":{"#) && !contents.hasPrefix(#"{"FULL_PATH""#))
    // A node that may have contents and has none.
    let empty = desk.ask("/session/show/capture/session").text
    #expect(empty == #"{"FULL_PATH":"/session/show/capture/session","ACCESS":0,"CONTENTS":{}}"#)
  }

  @Test("about the host name it, its ports and what it can do")
  func host() throws {
    let text = try Example.desk().ask("/", "HOST_INFO").text
    #expect(text.hasPrefix(#"{"NAME":"hall","EXTENSIONS":{"ACCESS":true,"#))
    #expect(text.hasSuffix(#""OSC_STREAMING":false},"OSC_PORT":9440,"OSC_TRANSPORT":"UDP","WS_PORT":9441}"#))
    let local = QueryHost(name: "hall", osc: nil, webPort: 9_441).text
    #expect(!local.contains("OSC_PORT") && !local.contains("OSC_TRANSPORT"))
  }

  @Test(
    "of a host that may not view get no state, but the page of a mix learns about the host",
    arguments: [QueryQuestion.node("/"), .host])
  func rights(_ question: QueryQuestion) throws {
    let (guest, musician, stranger) = (
      HostAddress(0x0A00_0001), HostAddress(0x0A00_0002), HostAddress(0x0A00_0003)
    )
    let admission = Admission(hosts: [
      try #require(HostRule("10.0.0.1", right: .view)), try #require(HostRule("10.0.0.2", right: .mix)),
    ])
    let rig = ServiceRig(try Desk.stage(admission: admission))
    let answers = Mutex<[HostAddress: Bool]>([:])
    for host in [.loopback, guest, musician, stranger] {
      rig.service.view(for: question, of: host) { view in answers.withLock { $0[host] = view != nil } }
    }
    rig.wait(0)
    #expect(
      answers.withLock(\.self)
        == [.loopback: true, guest: true, musician: question == .host, stranger: false])
  }
}
