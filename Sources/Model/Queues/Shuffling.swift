/// The order of the items to come: each item once before any repeats.
struct Shuffling: Equatable, Sendable {
  var mode = ShuffleMode.off
  /// The numbers of the items that this round has still to play, in order.
  private var upcoming: [Int] = []
  /// The next round in order, decided when this one has no item left.
  private var nextRound: [Int] = []
  private var generator: Generator

  init(seed: UInt64) { generator = Generator(state: seed) }

  /// The item that comes next; nil if none does.
  var next: Int? { upcoming.first ?? nextRound.first }

  mutating func forget() { (upcoming, nextRound) = ([], []) }

  /// Begins a round.
  ///
  /// - Parameters:
  ///   - present: an item that counts as heard.
  ///   - continuesAlbum: whether the rest of its album comes first.
  mutating func begin(_ entries: [PlayQueue.Entry], after present: Int?, continuesAlbum: Bool) {
    forget()
    guard mode != .off else { return }
    upcoming = order(entries, after: present, continuesAlbum: continuesAlbum)
  }

  /// Decides the next round if this one has no item left, or drops it if it does not come.
  ///
  /// - Parameter last: the item that plays; it does not begin the next round, unless it is the only one.
  mutating func planRound(_ entries: [PlayQueue.Entry], repeats: Bool, last: Int?) {
    guard mode != .off, repeats, upcoming.isEmpty else { return nextRound = [] }
    guard nextRound.isEmpty else { return }
    nextRound = order(entries, after: nil, continuesAlbum: false)
    guard let last, nextRound.first == last, nextRound.count > 1 else { return }
    if mode == .songs {
      nextRound.swapAt(0, Int.random(in: 1..<nextRound.count, using: &generator))
    } else {
      // The whole first album goes behind the others; if there is no other, the album begins again.
      let albums = groups(nextRound, entries)
      nextRound = albums.dropFirst().flatMap { $0 } + albums[0]
    }
  }

  /// Takes an item out of the order, because it plays now.
  mutating func take(_ number: Int) {
    if upcoming.isEmpty, nextRound.contains(number) { (upcoming, nextRound) = (nextRound, []) }
    upcoming.removeAll { $0 == number }
  }

  /// Puts an item first, because the queue went back behind it.
  mutating func giveBack(_ number: Int) {
    upcoming.removeAll { $0 == number }
    upcoming.insert(number, at: 0)
    nextRound = []
  }

  mutating func remove(_ number: Int) {
    upcoming.removeAll { $0 == number }
    nextRound.removeAll { $0 == number }
  }

  /// Gives new items places among those to come, but not the first.
  mutating func insert(_ fresh: [PlayQueue.Entry], into entries: [PlayQueue.Entry], present: Int) {
    guard mode != .off else { return }
    // What comes next may be prepared already, and with it the next round begins.
    if upcoming.isEmpty { (upcoming, nextRound) = (nextRound, []) }
    if mode == .songs {
      for number in fresh.map(\.number).shuffled(using: &generator) {
        let first = upcoming.isEmpty ? 0 : 1
        upcoming.insert(number, at: Int.random(in: first...upcoming.count, using: &generator))
      }
      return
    }
    // A new item of an album that is still to come goes to that album.
    let (known, all) = (groups(upcoming, entries).count, groups(upcoming + fresh.map(\.number), entries))
    var albums = Array(all[..<known])
    for album in all[known...].shuffled(using: &generator) {
      let first = albums.isEmpty ? 0 : 1
      albums.insert(album, at: Int.random(in: first...albums.count, using: &generator))
    }
    upcoming = albums.flatMap { $0 }
  }

  /// All items in a random order.
  private mutating func order(
    _ entries: [PlayQueue.Entry], after present: Int?, continuesAlbum: Bool
  ) -> [Int] {
    let numbers = entries.map(\.number)
    guard mode == .albums else {
      return numbers.filter { $0 != present }.shuffled(using: &generator)
    }
    var (first, rest): ([Int], [[Int]]) = ([], [])
    for album in groups(numbers, entries) {
      guard let present, let index = album.firstIndex(of: present) else {
        rest.append(album)
        continue
      }
      if continuesAlbum { first = Array(album[(index + 1)...]) }
      let others = continuesAlbum ? Array(album[..<index]) : album.filter { $0 != present }
      if !others.isEmpty { rest.append(others) }
    }
    return first + rest.shuffled(using: &generator).flatMap { $0 }
  }

  /// Items of one album that follow each other in `numbers`, or stand anywhere in it if it is the queue's own order.
  private func groups(_ numbers: [Int], _ entries: [PlayQueue.Entry]) -> [[Int]] {
    let items = Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0.item) })
    var groups: [[Int]] = []
    var places: [Album: Int] = [:]
    for number in numbers {
      guard let item = items[number], !item.album.isEmpty else {
        groups.append([number])
        continue
      }
      let album = Album(title: item.album, artist: item.albumArtist)
      if let place = places[album] {
        groups[place].append(number)
      } else {
        places[album] = groups.count
        groups.append([number])
      }
    }
    return groups
  }

  private struct Album: Hashable {
    var (title, artist): (String, String)
  }

  /// SplitMix64 by Steele, Lea and Flood (2014): a few lines, the same everywhere, and good enough for music.
  private struct Generator: RandomNumberGenerator, Equatable, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
      return mixed ^ (mixed >> 31)
    }
  }
}
