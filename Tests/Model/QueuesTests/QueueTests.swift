import Queues
import Testing

@Suite struct QueueTests {
  static func item(_ title: String, album: String = "") -> QueueItem {
    QueueItem(name: "\(title).flac", title: title, album: album, albumArtist: "Band")
  }

  static func queue(
    _ titles: String, repeat mode: RepeatMode = .none, shuffle: ShuffleMode = .off
  ) throws -> PlayQueue {
    var queue = PlayQueue(seed: 7)
    try queue.add(titles.map { item(String($0)) })
    queue.repeatMode = mode
    queue.shuffleMode = shuffle
    return queue
  }

  /// The titles of the items that play one after the other from the present one, at most so many.
  static func heard(_ queue: inout PlayQueue, atMost limit: Int = 100) -> String {
    var titles = queue.present?.title ?? ""
    while titles.count < limit {
      let expected = queue.upNext
      guard case .play(let item) = queue.finish() else {
        #expect(expected == nil)
        break
      }
      #expect(item == expected, "the item that was announced plays")
      #expect(item == queue.present)
      titles += item.title
    }
    return titles
  }

  @Test("Without repeat the queue plays each item once, stops, and is at its beginning again")
  func once() throws {
    var queue = try Self.queue("abcd")
    #expect(queue.present?.title == "a")
    #expect(Self.heard(&queue) == "abcd")
    #expect(queue.index == 0)
  }

  @Test("Repeat all begins again, and repeat one stays until the operator goes on")
  func repeats() throws {
    var all = try Self.queue("abc", repeat: .all)
    #expect(Self.heard(&all, atMost: 8) == "abcabcab")
    var one = try Self.queue("abc", repeat: .one)
    #expect(Self.heard(&one, atMost: 4) == "aaaa")
    #expect(one.next() == .play(Self.item("b")))
    #expect(Self.heard(&one, atMost: 3) == "bbb")
    _ = one.next()
    #expect(one.next() == .end && one.index == 0)
  }

  @Test("Shuffled songs are each heard once before any is heard again, in an order that is not the queue's")
  func shuffledSongs() throws {
    let titles = "abcdefghijklmnop"
    var queue = try Self.queue(titles, shuffle: .songs)
    let order = Self.heard(&queue)
    #expect(order.sorted() == Array(titles) && order != titles && order.first == "a")
    var rounds = try Self.queue(titles, repeat: .all, shuffle: .songs)
    let heard = Array(Self.heard(&rounds, atMost: 3 * titles.count))
    for round in 0..<3 {
      let part = heard[(round * titles.count)..<((round + 1) * titles.count)]
      #expect(part.sorted() == Array(titles))
    }
    #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 }, "no item twice in a row")
  }

  @Test("Shuffled albums keep the order of their items, and the present album goes on first")
  func shuffledAlbums() throws {
    var queue = PlayQueue(seed: 3)
    let albums = ["A": "123", "B": "456", "C": "789", "": "xyz"]
    for (album, titles) in albums.sorted(by: { $0.key < $1.key }).reversed() {
      try queue.add(titles.map { Self.item(String($0), album: album) })
    }
    _ = try queue.go(to: queue.items.firstIndex { $0.title == "2" }!)
    queue.shuffleMode = .albums
    let order = Self.heard(&queue)
    #expect(order.hasPrefix("23"))
    #expect(order.contains("456") && order.contains("789"))
    #expect(order.sorted() == Array("123456789xyz").sorted())
    // Items without album are albums by themselves, so they seldom stay together; with this seed they do not.
    #expect(!order.contains("xyz"))
  }

  @Test("With shuffle, previous goes back through what was heard, and next comes back the same way")
  func previousShuffled() throws {
    var queue = try Self.queue("abcdefgh", shuffle: .songs)
    var order = ["a"]
    for _ in 0..<5 { if case .play(let item) = queue.next() { order.append(item.title) } }
    for title in order.dropLast().reversed() { #expect(queue.previous() == .play(Self.item(title))) }
    #expect(queue.previous() == .play(Self.item("a")), "nothing was heard before")
    for title in order.dropFirst() { #expect(queue.next() == .play(Self.item(title))) }
  }

  @Test(
    "Without shuffle, previous goes to the item before, and from the first to the last only with repeat all")
  func previous() throws {
    var queue = try Self.queue("abc")
    _ = try queue.go(to: 2)
    #expect(queue.previous() == .play(Self.item("b")))
    _ = queue.previous()
    #expect(queue.previous() == .play(Self.item("a")))
    queue.repeatMode = .all
    #expect(queue.previous() == .play(Self.item("c")))
  }

  @Test("Where previous finds an item that cannot be played, the queue goes on backwards to one that can")
  func previousPastFailures() throws {
    for shuffle in [ShuffleMode.off, .songs] {
      var queue = try Self.queue("abcd", shuffle: shuffle)
      var order = ["a"]
      for _ in 0..<3 { if case .play(let item) = queue.next() { order.append(item.title) } }
      queue.succeed()
      #expect(queue.previous() == .play(Self.item(order[2])))
      #expect(queue.fail() == .play(Self.item(order[1])))
      #expect(queue.fail() == .play(Self.item(order[0])))
      queue.succeed()
      // What cannot be played later is passed forwards again.
      #expect(queue.next() == .play(Self.item(order[1])))
      #expect(queue.fail() == .play(Self.item(order[2])))
    }
  }

  @Test("Where previous finds no item before that can be played, the item that it left begins again")
  func previousWithoutAny() throws {
    for shuffle in [ShuffleMode.off, .songs] {
      var queue = try Self.queue("abcd", shuffle: shuffle)
      guard case .play = queue.next(), case .play(let left) = queue.next() else { return }
      queue.succeed()
      _ = queue.previous()
      _ = queue.fail()
      #expect(queue.fail() == .play(left))
      // It is heard and not left again by a fault.
      queue.succeed()
      let following = queue.upNext
      #expect(queue.fail() == following.map(PlayQueue.Step.play))
    }
  }

  @Test("Three items in a row that previous finds broken stop the queue, as forwards")
  func previousGivesUp() throws {
    var queue = try Self.queue("abcde")
    _ = try queue.go(to: 4)
    _ = queue.previous()
    _ = queue.fail()
    _ = queue.fail()
    #expect(queue.fail() == .giveUp)
  }

  @Test("Items come, go and move around the present item, which stays")
  func editing() throws {
    var queue = try Self.queue("abc")
    _ = try queue.go(to: 1)
    try queue.insert([Self.item("x"), Self.item("y")], at: 1)
    #expect(queue.items.map(\.title) == ["a", "x", "y", "b", "c"] && queue.present?.title == "b")
    try queue.move(from: 3, to: 0)
    #expect(queue.items.map(\.title) == ["b", "a", "x", "y", "c"] && queue.index == 0)
    #expect(try !queue.remove(at: 1) && queue.present?.title == "b")
    #expect(try queue.remove(at: 0) && queue.present?.title == "x")
    _ = try queue.go(to: 2)
    #expect(try queue.remove(at: 2))
    #expect(queue.index == 0 && queue.present?.title == "x")
    queue.clear()
    #expect(queue.index == nil && queue.upNext == nil && queue.next() == .end && queue.previous() == .end)
  }

  @Test(
    "An item that is added while another plays never becomes the next, which may be prepared",
    arguments: [ShuffleMode.songs, .albums])
  func addedLater(mode: ShuffleMode) throws {
    for seed in 0..<40 as Range<UInt64> {
      var queue = PlayQueue(seed: seed)
      try queue.add("abcd".map { Self.item(String($0)) })
      queue.shuffleMode = mode
      let next = queue.upNext
      try queue.insert([Self.item("x"), Self.item("y", album: "Z")], at: 1)
      #expect(queue.upNext == next)
      #expect(Self.heard(&queue).sorted() == Array("abcdxy"))
    }
  }

  @Test("An index that no item has, and more items than fit, are refused by name, and nothing changes")
  func refusals() throws {
    var queue = try Self.queue("ab")
    let before = queue
    #expect(throws: QueueError.noItem(index: 2, count: 2)) { try queue.go(to: 2) }
    #expect(throws: QueueError.noItem(index: -1, count: 2)) { try queue.remove(at: -1) }
    #expect(throws: QueueError.noItem(index: 5, count: 2)) { try queue.move(from: 0, to: 5) }
    #expect(throws: QueueError.noItem(index: 3, count: 2)) { try queue.insert([Self.item("x")], at: 3) }
    let many = Array(repeating: Self.item("x"), count: PlayQueue.most)
    #expect(throws: QueueError.full(count: PlayQueue.most + 2)) { try queue.add(many) }
    #expect(queue == before)
    #expect(
      "\(QueueError.noItem(index: 2, count: 2))" == "there is no item 2; the queue has 2, counted from 0 to 1"
    )
  }

  @Test("An item that cannot be played is skipped, and three in a row stop the queue")
  func failures() throws {
    var queue = try Self.queue("abcdef", repeat: .one)
    #expect(queue.fail() == .play(Self.item("b")))
    #expect(queue.fail() == .play(Self.item("c")))
    queue.succeed()
    #expect(queue.fail() == .play(Self.item("d")))
    #expect(queue.fail() == .play(Self.item("e")))
    #expect(queue.fail() == .giveUp)
    #expect(queue.present?.title == "e")
    var one = try Self.queue("a", repeat: .all)
    #expect([one.fail(), one.fail(), one.fail()] == [.play(Self.item("a")), .play(Self.item("a")), .giveUp])
  }
}
