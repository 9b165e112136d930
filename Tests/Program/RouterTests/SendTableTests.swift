import SessionModel
import Testing

@testable import Router

@Suite struct SendTableTests {
  private static let keys = (0..<6).map { SendKey.stream("show", "band", PortID("out-\($0)")!) }

  private static func send(_ index: Int, _ target: Float, _ revision: UInt32 = 0) -> MixLevels.Send {
    MixLevels.Send(
      key: keys[index], level: MixLevels.Level(target: target, revision: revision, seconds: 0.02))
  }

  /// Six sends at silence; each but the third is followed by two crosspoints, 10 and 11 for the first send.
  private static var table: SendTable {
    let followers = keys.indices.filter { $0 != 2 }.map { index in
      (keys[index], [0, 1].map { SendTable.Follower(crosspoint: 10 * index + 10 + $0, revision: 1) })
    }
    return SendTable(
      keys.indices.map { send($0, 0) }, followers: Dictionary(uniqueKeysWithValues: followers))
  }

  private static func moves(
    of table: inout SendTable, _ sends: [MixLevels.Send], revision: UInt32 = 7
  ) -> [String] {
    var moves: [String] = []
    table.follow(sends, revision: revision) { moves.append("\($0) \($1.level.target) \($1.revision)") }
    return moves
  }

  @Test("Changes in the order of the table, in another order, and of sends that it does not have")
  func order() {
    var table = Self.table
    let inOrder = Self.moves(of: &table, [Self.send(0, 1), Self.send(1, 0.5)])
    #expect(inOrder == ["10 1.0 7", "11 1.0 7", "20 0.5 7", "21 0.5 7"])
    let stranger = MixLevels.Send(key: .recorder("tape"), level: MixLevels.Level(target: 1, seconds: 0))
    let others = Self.moves(of: &table, [Self.send(4, 1), stranger, Self.send(2, 1), Self.send(3, 1)])
    #expect(others == ["50 1.0 7", "51 1.0 7", "40 1.0 7", "41 1.0 7"])
  }

  @Test("A level that is in force already moves nothing, unless it was set again")
  func again() {
    var table = Self.table
    #expect(Self.moves(of: &table, [Self.send(5, 0)]).isEmpty)
    #expect(Self.moves(of: &table, [Self.send(5, 0, 1)], revision: 8) == ["60 0.0 8", "61 0.0 8"])
    #expect(Self.moves(of: &table, [Self.send(5, 0, 1)], revision: 9).isEmpty)
  }

  @Test("The table knows what the engine last got for each crosspoint")
  func sent() {
    var table = Self.table
    _ = Self.moves(of: &table, [Self.send(1, 0.5)])
    var sent: [Int: String] = [:]
    table.forEachFollower { sent[$0] = "\($1.level.target) \($1.revision)" }
    #expect(sent.count == 10 && sent[10] == "0.0 1" && sent[20] == "0.5 7" && sent[21] == "0.5 7")
  }
}
