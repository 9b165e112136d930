import MediaFolders
import MusicLibrary
import Queues

/// `multiroute library`: looks through the media folders, and searches and lists what is in them. Works beside a running router, on the same file.
enum LibraryCommand {
  struct Options {
    var folders: MusicOptions
    var job: Job
    var part: Part
    var isJSON: Bool

    enum Job {
      case scan
      case find(String)
      case overview
      case collections(SongCollection.Kind)
      case songs
      case unusable
      /// The songs that a name, an id or a query means.
      case show(String)
    }

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
      folders = MusicOptions(arguments)
      part = Part(start: arguments.integer(.from) ?? 0, count: arguments.integer(.count) ?? Part.usual)
      isJSON = arguments.has(.json)
      let words = arguments.positionals
      let rest = words.dropFirst().joined(separator: " ")
      switch (words.first, words.count) {
      case ("scan", 1): job = .scan
      case ("find", 2...): job = .find(rest)
      case ("show", 1): job = .overview
      case ("show", 2) where rest == "songs": job = .songs
      case ("show", 2) where rest == "unusable": job = .unusable
      case ("show", 2...):
        let kind = SongCollection.Kind.allCases.first { "\($0)" == rest }
        job = kind.map(Job.collections) ?? .show(rest)
      default:
        throw .usage(
          of: .library,
          [
            "\(words.joined(separator: " ")) is not understood; write: multiroute library scan, find QUERY, show, or show with a list, a file or an id"
          ])
      }
    }
  }

  /// The part of a list that is shown.
  struct Part {
    var start: Int
    var count: Int

    static let usual = 100
  }

  static func perform(_ options: Options, _ context: Context) throws(CommandFailure) {
    let folders = try Folders(options.folders, context)
    let library = MusicLibrary(MediaFolders(folders.media), stateFolder: folders.state)
    let tables = LibraryTables(isJSON: options.isJSON, console: context.console)
    do throws(LibraryError) {
      switch options.job {
      case .scan: try scan(library, tables, context)
      case .find(let query):
        tables.print(try library.find(query, from: options.part.start, count: options.part.count))
      case .songs: tables.print(try library.songs(from: options.part.start, count: options.part.count))
      case .collections(let kind):
        tables.print(try library.collections(kind, from: options.part.start, count: options.part.count))
      case .unusable: tables.print(try library.unusable(from: options.part.start, count: options.part.count))
      case .overview: try overview(library, tables)
      case .show(let word):
        let found = library.items(for: word)
        for problem in found.problems { context.console.tell("multiroute: \(problem)") }
        if !found.items.isEmpty { tables.print(found.items) }
        tables.hasFound = !found.items.isEmpty
      }
    } catch { throw CommandFailure(.unreadableFile, "multiroute: \(error).") }
    // As grep does.
    if !tables.hasFound { throw CommandFailure(.failure, []) }
  }

  private static func scan(
    _ library: MusicLibrary, _ tables: LibraryTables, _ context: Context
  ) throws(LibraryError) {
    let isStopped = context.interruption.listen()
    var bar = ProgressBar(total: 1_000, context.console)
    let opened = try library.scan(isStopped: isStopped) { bar.show(Int($0 * 1_000)) }
    bar.end()
    let unusable = try library.unusable(count: 0).total
    tables.print(
      scanned: library.folders.paths, songs: try library.count(), opened: opened, unusable: unusable)
    if isStopped() { context.console.tell("Stopped; the next scan goes on here.") }
  }

  private static func overview(_ library: MusicLibrary, _ tables: LibraryTables) throws(LibraryError) {
    var counts = [("songs", try library.songs(count: 0).total)]
    for kind in SongCollection.Kind.allCases {
      counts.append(("\(kind)", try library.collections(kind, count: 0).total))
    }
    counts.append(("unusable", try library.unusable(count: 0).total))
    tables.print(counts: counts, of: library.folders.paths)
  }
}
