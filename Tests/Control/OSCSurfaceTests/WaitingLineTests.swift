import OSC
import Queues
import SessionModel
import Synchronization
import Testing

@testable import OSCSurface

@Suite("Packets that name files wait for the disk, and no other packet does")
struct WaitingLineTests {
  private let rig: ServiceRig

  init() throws {
    var desk = try Desk.stage()
    desk.send("/player/create", "walkin", "music")
    desk.send("/player/create", "jingle", "music", "j.wav")
    rig = ServiceRig(desk)
  }

  private func isPlaying(_ player: PlayerID) -> Bool { rig.state.players[player]?.isPlaying ?? false }

  private var items: [String] { rig.state.players["walkin"]?.queue.value.items.map(\.name) ?? [] }

  private var searches: [[String]] { rig.searches.withLock { $0.map(\.words) } }

  @Test("A play never overtakes the files of its player, whichever client sends it")
  func order() {
    rig.receive("/player/walkin/queue/add", "a.wav")
    rig.receive("/player/walkin/queue/add", "b.wav", from: Desk.other)
    rig.receive("/player/walkin/play", from: Desk.local(9_002))
    rig.receive("/player/walkin/queue/length")
    #expect(items.isEmpty && !isPlaying("walkin"))
    // The second packet is looked up when its turn comes.
    #expect(searches == [["a.wav"]])
    rig.find()
    #expect(items == ["a.wav"] && searches == [["b.wav"]] && !isPlaying("walkin"))
    rig.find()
    #expect(items == ["a.wav", "b.wav"] && isPlaying("walkin"))
    #expect(rig.take() == ["/player/walkin/queue/length 2"])
    #expect(rig.service.line.isEmpty)
  }

  @Test("A bundle that fills a player and starts it takes effect at once, when the files are found")
  func bundle() {
    rig.receive(
      .bundle(
        OSCBundle([
          .message(OSCMessage("/player/walkin/queue/add", "a.wav")),
          .message(OSCMessage("/player/walkin/play")), .message(OSCMessage("/session/show/mute", 1)),
        ])))
    #expect(rig.state.sessions["show"]?.isMuted == false)
    rig.find()
    #expect(items == ["a.wav"] && isPlaying("walkin") && rig.state.sessions["show"]?.isMuted == true)
  }

  @Test("Other players, faders, sessions and other clients' syncs go on; a sync of the client waits")
  func overtaking() {
    rig.receive("/player/walkin/queue/add", "a.wav")
    rig.receive("/player/jingle/play")
    rig.receive("/player/walkin/gain", -6.0)
    rig.receive("/session/show/mute", 1)
    #expect(isPlaying("jingle") && rig.state.players["walkin"]?.gain.target == -6)
    #expect(rig.state.sessions["show"]?.isMuted == true)
    rig.receive("/sync", 1)
    rig.receive("/ping", 2)
    rig.receive("/sync", 3, from: Desk.other)
    #expect(rig.service.line.keepsBack(PlayerSubjects(of: .message(OSCMessage("/sync", 1))), of: Desk.me))
    #expect(!rig.service.line.keepsBack(PlayerSubjects(of: .message(OSCMessage("/sync", 1))), of: Desk.other))
    #expect(rig.take() == ["/pong 2"])
    rig.find()
    #expect(rig.service.line.isEmpty)
  }

  @Test(
    "What is about every player waits behind any",
    arguments: ["/remote/play", "/player/*/loops", "/player/list", "/*/walkin/loops"])
  func everyPlayer(_ address: String) {
    rig.receive("/player/walkin/queue/add", "a.wav")
    #expect(rig.service.line.keepsBack(PlayerSubjects(of: .message(OSCMessage(address))), of: Desk.other))
    let other = OSCPacket.message(OSCMessage("/player/jingle/play"))
    #expect(!rig.service.line.keepsBack(PlayerSubjects(of: other), of: Desk.me))
    rig.receive(.message(OSCMessage(address)))
    #expect(rig.service.line.keepsBack(PlayerSubjects(of: other), of: Desk.me))
  }

  @Test("A refused word changes nothing, and the packets behind go on")
  func refused() {
    rig.receive("/player/walkin/queue/add", "a.m4a")
    rig.receive("/player/walkin/loops", 3)
    rig.find(["a.m4a contains MPEG-4 audio"])
    #expect(items.isEmpty && rig.state.players["walkin"]?.loops == 3)
    let told = rig.take()
    #expect(
      told.contains { $0.hasPrefix("/error /player/walkin/queue/add 5 notFound a.m4a contains") }, "\(told)")
  }

  @Test(
    "A disk that hangs keeps a player's commands back for five seconds, and its late answer means nothing")
  func hang() {
    rig.receive("/request", 7, "/player/walkin/queue/add", "a.wav")
    rig.receive("/player/walkin/loops", 3)
    rig.wait(4.9)
    #expect(rig.state.players["walkin"]?.loops == 0)
    rig.wait(0.2)
    #expect(rig.state.players["walkin"]?.loops == 3 && items.isEmpty)
    let told = rig.take()
    #expect(
      told.contains { $0.hasPrefix("/response 7 ") && $0.contains("io the disk has not answered") }, "\(told)"
    )
    rig.find()
    #expect(items.isEmpty && rig.service.line.isEmpty)
  }

  @Test("A lookup that is refused is answered at once")
  func noRoom() {
    rig.isFull.withLock { $0 = true }
    rig.receive("/player/walkin/queue/add", "a.wav")
    #expect(rig.service.line.isEmpty)
    #expect(rig.take().contains { $0.contains("full no room") })
  }

  @Test("A client that sends thousands of packets for one player gets errors for those that do not fit")
  func flood() {
    rig.receive("/player/walkin/queue/add", "a.wav")
    for _ in 0..<1_100 { rig.receive("/player/walkin/queue/add", "b.wav") }
    #expect(rig.service.line.isFull)
    let errors = rig.take().filter { $0.contains(" full ") }
    #expect(!errors.isEmpty)
    rig.find()
    #expect(items == ["a.wav"] && !rig.service.line.isFull)
  }

  @Test("A request that is sent again while its files are looked up is performed once")
  func again() {
    rig.receive("/request", 7, "/player/walkin/queue/add", "a.wav")
    rig.receive("/request", 7, "/player/walkin/queue/add", "a.wav")
    rig.find()
    #expect(items == ["a.wav"])
    let answer = "/response 7 0 /player/walkin/queue/add 1"
    #expect(rig.take() == [answer, answer])
  }

  @Test("A command that is refused whatever its files are makes no disk work")
  func needless() {
    rig.receive("/player/nobody/queue/add", "a.wav")
    rig.receive("/player/create", "walkin", "music", "b.wav")
    #expect(searches.isEmpty && rig.service.line.isEmpty)
  }
}
