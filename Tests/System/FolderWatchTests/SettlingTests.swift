import SystemCalls
import Testing

@testable import FolderWatch

@Suite("An edit is over")
struct SettlingTests {
  /// Times at which an edit that has these steps counts as over, if somebody looks every 10 ms.
  private func ends(_ steps: [(at: Int, name: String, events: FolderEvents)]) -> [Int] {
    var settling = Settling(suffix: ".json")
    return stride(from: 0, through: 5_000, by: 10).filter { time in
      for step in steps where step.at == time {
        settling.note(FolderChange(watch: 1, events: step.events, name: step.name), at: Double(time) / 1_000)
      }
      return settling.take(at: Double(time) / 1_000 + 1e-6)
    }
  }

  @Test("when nothing has happened for 0.2 s, once, however many steps it had")
  func steps() {
    #expect(ends([(100, "show.json", .movedIn)]) == [300])
    #expect(ends([(100, "show.json", .movedIn), (250, "show.json", .movedIn)]) == [450])
    #expect(ends([(100, "show.json", .attributes), (400, "base.json", .deleted)]) == [300, 600])
  }

  @Test("not before a truncated file is closed, but after a second at most")
  func openFile() {
    #expect(ends([(100, "a.json", .written), (900, "a.json", .closedAfterWriting)]) == [1_100])
    #expect(ends([(100, "a.json", .created), (200, "b.json", .movedIn)]) == [1_200])
    #expect(ends([(100, "a.json", .written), (150, "a.json", .movedOut)]) == [350])
  }

  @Test("only for files that count: swap files and backups of editors do not")
  func others() {
    let names = [".show.json.swp", "show.json~", "4913", "show.json.new", ""]
    #expect(ends(names.map { (100, $0, .written) }) == [])
  }

  @Test("later, if a folder has come or gone, or events were lost meanwhile")
  func unknown() {
    var settling = Settling(suffix: ".json")
    settling.noteUnknown(at: 10)
    #expect(!settling.take(at: 10.19) && settling.take(at: 10.21))
    settling.note(FolderChange(watch: 1, events: .written, name: "show.json"), at: 11)
    settling.noteUnknown(at: 11.1)
    #expect(settling.due == 12)
  }
}
