import JSON5
import MusicLibrary
import Numbers
import Queues

/// Prints parts of the library: as tables for people, or as JSON.
final class LibraryTables {
  private let isJSON: Bool
  private let console: Console
  /// Whether there was anything to print.
  var hasFound = true

  init(isJSON: Bool, console: Console) { (self.isJSON, self.console) = (isJSON, console) }

  func print(_ page: Page<Song>) {
    print(
      page, "song",
      [("TITLE", .left), ("ARTIST", .left), ("ALBUM", .left), ("LENGTH", .right), ("ID", .left)]
    ) { song in
      [
        .init(song.title, .bold), .init(song.artist), .init(song.album), .init(Self.length(song.seconds)),
        .init("\(song.id)", .dim),
      ]
    } json: { song in
      [
        "id": .string("\(song.id)"), "file": .string(song.name), "title": .string(song.title),
        "artist": .string(song.artist),
        "album": .string(song.album), "albumArtist": .string(song.albumArtist), "genre": .string(song.genre),
        "composer": .string(song.composer), "track": .number(Double(song.track)),
        "disc": .number(Double(song.disc)),
        "seconds": .number(song.seconds), "kind": .string("\(song.kind)"),
        "compilation": .bool(song.isCompilation),
        "picture": .bool(song.hasPicture),
      ]
    }
  }

  func print(_ page: Page<SongCollection>) {
    print(page, "entry", [("TITLE", .left), ("ARTIST", .left), ("SONGS", .right), ("QUERY", .left)]) {
      entry in
      [.init(entry.title, .bold), .init(entry.artist), .init("\(entry.count)"), .init(entry.query, .dim)]
    } json: { entry in
      [
        "title": .string(entry.title), "artist": .string(entry.artist), "songs": .number(Double(entry.count)),
        "query": .string(entry.query),
      ]
    }
  }

  func print(_ page: Page<UnusableFile>) {
    print(page, "file", [("FILE", .left), ("WHY IT CANNOT BE USED", .left)]) { file in
      [.init(file.name, .bold), .init(file.reason)]
    } json: { file in
      ["file": .string(file.name), "reason": .string(file.reason)]
    }
  }

  /// The items that a queue would get.
  func print(_ items: [QueueItem]) {
    let page = Page(start: 0, total: items.count, items: items)
    print(
      page, "song", [("TITLE", .left), ("ARTIST", .left), ("LENGTH", .right), ("FILE", .left), ("ID", .left)]
    ) { item in
      [
        .init(item.title, .bold), .init(item.artist), .init(Self.length(item.seconds)), .init(item.name),
        .init(item.media, .dim),
      ]
    } json: { item in
      [
        "id": .string(item.media), "file": .string(item.name), "title": .string(item.title),
        "artist": .string(item.artist),
        "album": .string(item.album), "seconds": .number(item.seconds),
      ]
    }
  }

  func print(scanned folders: [String], songs: Int, opened: Int, unusable: Int) {
    guard !isJSON else {
      let value: JSONValue = [
        "folders": .array(folders.map { .string($0) }), "songs": .number(Double(songs)),
        "opened": .number(Double(opened)),
        "unusable": .number(Double(unusable)),
      ]
      return console.write(value.text)
    }
    console.print("\(songs) songs, \(opened) files read, \(unusable) that cannot be used")
    if unusable > 0 { console.tell("See: multiroute library show unusable") }
  }

  func print(counts: [(name: String, count: Int)], of folders: [String]) {
    guard !isJSON else {
      let members = counts.map { JSONValue.Member($0.name, .number(Double($0.count))) }
      return console.write(
        JSONValue.object([.init("folders", .array(folders.map { .string($0) }))] + members).text)
    }
    for folder in folders { console.print("folder \(folder)") }
    var table = TextTable([("LIST", .left), ("ENTRIES", .right)])
    for (name, count) in counts { table.append([.init(name, .bold), .init("\(count)")]) }
    for line in table.lines(console) { console.print(line) }
    if counts.allSatisfy({ $0.count == 0 }) {
      console.tell(
        "The library is empty. A running router fills it by itself; otherwise: multiroute library scan")
    }
  }

  private func print<Item>(
    _ page: Page<Item>, _ noun: String, _ columns: [(name: String, alignment: TextTable.Alignment)],
    row: (Item) -> [TextTable.Cell], json: (Item) -> JSONValue
  ) {
    hasFound = page.total > 0
    if isJSON {
      let value: JSONValue = [
        "start": .number(Double(page.start)), "total": .number(Double(page.total)),
        "items": .array(page.items.map(json)),
      ]
      return console.write(value.text)
    }
    guard hasFound else { return console.tell("There is no such \(noun).") }
    var table = TextTable(columns)
    for item in page.items { table.append(row(item)) }
    for line in table.lines(console) { console.print(line) }
    let end = page.start + page.items.count
    if end < page.total {
      console.tell("\(page.start + 1) to \(end) of \(page.total); the next: --from \(end)")
    }
  }

  /// Seconds as `3:05` or `1:02:03`; a dash if they are not known.
  private static func length(_ seconds: Double) -> String {
    guard seconds > 0 else { return "-" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }
}
