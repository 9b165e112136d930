import Chance
import Queues
import Testing

/// Random histories of a queue, against what must always hold.
@Suite struct QueuePropertyTests {
  @Test("Whatever the operator does, the announced item plays, and no item repeats within a round")
  func histories() throws {
    for seed in 0..<300 as Range<UInt64> {
      var history = History(seed: seed)
      for _ in 0..<120 { try history.step() }
    }
  }

  @Test("From any state, the items to come are each heard once before the queue ends")
  func everyItemOnce() throws {
    for seed in 0..<300 as Range<UInt64> {
      var history = History(seed: seed)
      for _ in 0..<60 { try history.step() }
      var queue = history.queue
      queue.repeatMode = .none
      queue.shuffleMode = .off
      queue.shuffleMode = [.songs, .albums][Int(seed % 2)]
      guard !queue.isEmpty else { continue }
      var titles = [queue.present!.title]
      while case .play(let item) = queue.finish() { titles.append(item.title) }
      #expect(titles.sorted() == queue.items.map(\.title).sorted(), "seed \(seed)")
    }
  }

  /// A queue, a plain list that is edited alike, and the titles that were heard since the last edit or jump.
  private struct History {
    var queue: PlayQueue
    private var list: [String] = []
    private var present: String?
    private var count = 0
    private var heard: Set<String> = []
    private var generator: SeededGenerator

    init(seed: UInt64) {
      queue = PlayQueue(seed: seed)
      generator = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
      let place = Int.random(in: 0...max(0, list.count - 1), using: &generator)
      switch Int.random(in: 0..<14, using: &generator) {
      case 0, 1:
        let fresh = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          count += 1
          return QueueItem(name: "\(count)", title: "\(count)", album: ["", "A", "B", "C"][count % 4])
        }
        let index = Int.random(in: 0...list.count, using: &generator)
        if list.isEmpty { present = fresh[0].title }
        list.insert(contentsOf: fresh.map(\.title), at: index)
        try queue.insert(fresh, at: index)
        heard = []
      case 2 where !list.isEmpty:
        let removed = list.remove(at: place)
        #expect(try queue.remove(at: place) == (removed == present))
        if removed == present { present = queue.present?.title }
        heard = []
      case 3 where !list.isEmpty:
        let target = Int.random(in: 0..<list.count, using: &generator)
        list.insert(list.remove(at: place), at: target)
        try queue.move(from: place, to: target)
      case 4:
        queue.repeatMode = RepeatMode.allCases.randomElement(using: &generator)!
        heard = []
      case 5:
        queue.shuffleMode = ShuffleMode.allCases.randomElement(using: &generator)!
        heard = []
      case 6 where !list.isEmpty:
        present = list[place]
        heard = []
        #expect(try queue.go(to: place) == .play(queue.present!))
      case 7:
        if case .play(let item) = queue.previous() { present = item.title }
        heard = []
      case 8 where Int.random(in: 0..<8, using: &generator) == 0:
        queue.clear()
        (list, present, heard) = ([], nil, [])
      default: follow()
      }
      #expect(queue.items.map(\.title) == list)
      #expect(queue.present?.title == present)
      #expect((queue.index == nil) == list.isEmpty)
    }

    private mutating func follow() {
      let announced = queue.upNext
      let isOne = queue.repeatMode == .one
      switch queue.finish() {
      case .play(let item):
        #expect(item == announced)
        if isOne { #expect(item.title == present) }
        if !isOne, queue.repeatMode == .none, queue.shuffleMode != .off {
          #expect(heard.insert(item.title).inserted, "\(item.title) repeats within a round")
        }
        present = item.title
      case .end:
        #expect(announced == nil)
        present = queue.present?.title
        heard = []
      case .giveUp: Issue.record("nothing failed")
      }
    }
  }
}
