import Foundation
import Glibc
import SessionModel
import Synchronization
import TemporaryFolders
import Testing
import Threads
import Writers

@testable import EventLog

@Suite("The events file")
struct EventFileTests {
  /// A FIFO with a reader that reads only when the test asks for lines, and the sentences for the user.
  private final class Rig: Sendable {
    private let folder: TemporaryFolder
    let path: String
    let reader: Int32
    let told = Mutex<[String]>([])
    private let bell = Semaphore()

    init() throws {
      folder = try TemporaryFolder()
      path = folder.file("events")
      mkfifo(path, 0o600)
      reader = open(path, O_RDONLY | O_NONBLOCK)
      signal(SIGPIPE, SIG_IGN)
    }

    func tell(_ line: String) {
      told.withLock { $0.append(line) }
      bell.signal()
    }

    /// A line that only fills the FIFO.
    static let filling = String(repeating: "-", count: 99)

    /// Fills the FIFO, so that the next line of a writer has no room.
    func fill() {
      let writer = open(path, O_WRONLY | O_NONBLOCK)
      defer { close(writer) }
      let line = Array((Self.filling + "\n").utf8)
      while write(writer, line, line.count) == line.count {}
    }

    /// Waits for one more sentence; false after ten seconds.
    func awaitSentence() -> Bool { bell.wait(seconds: 10) }

    /// Reads lines up to the first one that satisfies `isLast`; nil if no further byte comes within ten seconds.
    func lines(until isLast: (String) -> Bool) -> [String]? {
      var (byte, rest, lines) = (UInt8(0), [UInt8](), [String]())
      while true {
        var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 10_000) > 0 else { return nil }
        // Byte by byte, so that no byte of a later line leaves the FIFO.
        guard read(reader, &byte, 1) == 1 else { return nil }
        guard byte == 10 else {
          rest.append(byte)
          continue
        }
        let line = String(decoding: rest, as: UTF8.self)
        rest = []
        lines.append(line)
        if isLast(line) { return lines }
      }
    }
  }

  @Test("If a reader stops, lines are lost; that is reported once, and their number when the reader goes on")
  func sleepingReader() throws {
    let rig = try Rig()
    let file = try EventFile(path: rig.path, room: 10_000) { rig.tell($0) }
    rig.fill()
    let line = String(repeating: "x", count: 99)
    for _ in 0..<2_000 { file.append(line) }
    #expect(rig.told.withLock { $0 } == ["\(rig.path) is losing events: it accepts no lines"])
    // The queue is half empty once the pipe has taken some lines.
    var (appended, read) = (2_000, 0)
    _ = try #require(
      rig.lines { line in
        if line != Rig.filling { read += 1 }
        file.append("more")
        appended += 1
        return rig.told.withLock { $0.count } >= 2
      })
    file.append("last")
    read += try #require(rig.lines { $0 == "last" }).count { $0 != Rig.filling }
    file.finish(within: 5)
    let told = rig.told.withLock { $0 }
    #expect(told[1].hasPrefix("\(rig.path) can be written again; "))
    #expect(told.compactMap(Self.number).reduce(0, +) == appended + 1 - read)
  }

  /// The number of lines in `…; 123 events are missing`.
  private static func number(_ sentence: String) -> Int? {
    sentence.split(separator: " ").dropLast(3).last.flatMap { Int($0) }
  }

  @Test("The end of a reader is reported once, and so is the next reader")
  func goneReader() throws {
    let rig = try Rig()
    let file = try EventFile(path: rig.path) { rig.tell($0) }
    close(rig.reader)
    for _ in 0..<3 { file.append("line") }
    try #require(rig.awaitSentence())
    let reader = open(rig.path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    file.append("again")
    try #require(rig.awaitSentence())
    file.finish(within: 5)
    let told = rig.told.withLock { $0 }
    #expect(told[0] == "\(rig.path) is losing events: no program reads it")
    #expect(told[1].hasPrefix("\(rig.path) can be written again; "))
    #expect(told.count == 2)
  }

  @Test(
    "A file that is renamed, deleted or replaced gets its lines under its name again",
    arguments: ["rename", "delete", "replace"])
  func rotation(way: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("events.jsonl")
    let file = try EventFile(path: path) { _ in }
    // Each change of the name happens between two lines that the writer has surely written.
    func write(_ line: String, to name: String) throws {
      file.append(line)
      let deadline = MonotonicTime.now + 10
      while (try? text(name))?.hasSuffix("\(line)\n") != true {
        try #require(MonotonicTime.now < deadline)
        sched_yield()
      }
    }
    func text(_ name: String) throws -> String { try String(contentsOfFile: name, encoding: .utf8) }
    try write("first", to: path)
    switch way {
    case "rename": #expect(rename(path, path + ".1") == 0)
    case "delete": #expect(unlink(path) == 0)
    default:
      try "other\n".write(toFile: path + ".new", atomically: false, encoding: .utf8)
      #expect(rename(path + ".new", path) == 0)
    }
    try write("second", to: path)
    #expect(try text(path) == (way == "replace" ? "other\nsecond\n" : "second\n"))
    if way == "rename" { #expect(try text(path + ".1") == "first\n") }
    file.finish(within: 1)
  }
}
