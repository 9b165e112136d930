import Foundation
import Glibc
import TemporaryFolders
import Testing

@testable import SoundFiles

/// A file that another program writes while it is read.
@Suite("A witness of an open file") struct FileWitnessTests {
  private let folder: TemporaryFolder
  private let file: FileHandle

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    try Data(repeating: 0x11, count: 100_000).write(to: URL(fileURLWithPath: path))
    file = try #require(FileHandle(forUpdatingAtPath: path))
    setTime(seconds: 1)
  }

  /// Sets the time of the last change, as the system does at the beginning of a write.
  private func setTime(seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    #expect(futimens(file.fileDescriptor, [time, time]) == 0)
  }

  private func append(_ count: Int) throws {
    try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 0x55, count: count))
  }

  @Test("A file that is not written is not changed")
  func untouched() throws {
    var witness = try #require(FileWitness(file.fileDescriptor))
    #expect(!witness.hasChanged(file.fileDescriptor) { Issue.record("it waits") })
  }

  @Test("A file that grows is not changed, also while a write has set its time and not yet its size")
  func grows() throws {
    var witness = try #require(FileWitness(file.fileDescriptor))
    try append(10)
    #expect(!witness.hasChanged(file.fileDescriptor) { Issue.record("it waits") })
    setTime(seconds: 2)
    var pauses = 0
    let hasChanged = witness.hasChanged(file.fileDescriptor) {
      pauses += 1
      if pauses == 3 { #expect(throws: Never.self) { try append(10) } }
    }
    #expect(!hasChanged && pauses == 3)
    #expect(witness.size == 100_020)
  }

  @Test("A file whose bytes are written anew, or that becomes shorter, is changed")
  func overwritten() throws {
    var witness = try #require(FileWitness(file.fileDescriptor))
    try file.seek(toOffset: 7)
    try file.write(contentsOf: Data(repeating: 0x55, count: 10))
    #expect(witness.hasChanged(file.fileDescriptor) {})
    witness = try #require(FileWitness(file.fileDescriptor))
    try file.truncate(atOffset: 99_999)
    #expect(witness.hasChanged(file.fileDescriptor) { Issue.record("it waits") })
  }

  @Test("A file that grows and of which other bytes are written, too, is changed")
  func grownAndOverwritten() throws {
    var witness = try #require(FileWitness(file.fileDescriptor))
    try append(10)
    try file.seek(toOffset: 50_000 - 10)
    try file.write(contentsOf: Data(repeating: 0x55, count: 10))
    #expect(witness.hasChanged(file.fileDescriptor) {})
  }
}
