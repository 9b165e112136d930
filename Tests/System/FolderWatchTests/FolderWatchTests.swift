import FolderWatch
import SystemCalls
import TemporaryFolders
import Testing

@Suite("A watched folder")
struct FolderWatchTests {
  private let folder: TemporaryFolder
  private let stream: AsyncStream<Void>
  private let watch: FolderWatch

  init() throws {
    folder = try TemporaryFolder()
    let (stream, changed) = AsyncStream.makeStream(of: Void.self)
    self.stream = stream
    let paths = [folder.file("presets"), folder.file("deep/down/presets")]
    try System.makeFolders(paths[0])
    watch = try FolderWatch(suffix: ".json") {
      paths
    } changed: {
      changed.yield()
    }
  }

  @Test("tells of a rename over a file, of one that is written in place, and of one that is deleted")
  func edits() async throws {
    var changes = stream.makeAsyncIterator()
    let file = folder.file("presets/show.json")
    try WholeFile.replace(file, with: Array("1".utf8), permissions: 0o600)
    #expect(await changes.next() != nil)
    _ = try folder.write("22", to: "presets/show.json")
    #expect(await changes.next() != nil)
    try System.unlink(file)
    #expect(await changes.next() != nil)
    watch.close()
  }

  @Test("is watched from its first file on, although it and the folders above it did not exist")
  func late() async throws {
    var changes = stream.makeAsyncIterator()
    try System.makeFolders(folder.file("deep/down"))
    #expect(await changes.next() != nil)
    try System.makeFolders(folder.file("deep/down/presets"))
    _ = try folder.write("1", to: "deep/down/presets/show.json")
    #expect(await changes.next() != nil)
    // The folder is replaced by another one, as by a checkout.
    try System.rename(folder.file("deep/down/presets"), to: folder.file("deep/down/old"))
    #expect(await changes.next() != nil)
    try System.makeFolders(folder.file("deep/down/presets"))
    #expect(await changes.next() != nil)
    _ = try folder.write("2", to: "deep/down/presets/show.json")
    #expect(await changes.next() != nil)
    watch.close()
  }
}
