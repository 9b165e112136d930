import EffectBlocks
import Effects
import EffectsHost
import Foundation
import SystemCalls
import TemporaryFolders
import Testing
import WildPlugins

@Suite("The effects program by itself", .serialized)
struct ProgramTests {
  /// Runs the program, and returns what it printed and its exit code.
  private static func run(
    _ arguments: [String], _ variables: [String: String] = [:]
  ) throws -> (output: Data, errors: String, code: Int32) {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(filePath: Rig.program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (data, String(decoding: text, as: UTF8.self), process.terminationStatus)
  }

  private static func list(_ variables: [String: String]) throws -> EffectList {
    let result = try run(["list"], variables)
    #expect(result.code == 0 && result.errors == "")
    return try #require(EffectList(bytes: [UInt8](result.output)))
  }

  /// How often files of bundles are opened while `body` runs.
  private static func opened(_ folders: [String], while body: () throws -> Void) throws -> Int {
    let inotify = try System.inotify_init1()
    defer { System.close(inotify) }
    for folder in folders {
      _ = try System.inotify_add_watch(inotify, folder, FolderEvents(rawValue: UInt32(IN_OPEN)))
    }
    try body()
    var count = 0
    while case let changes = System.inotify_read(inotify), !changes.isEmpty {
      // A listed folder is opened without a name.
      count += changes.count { !$0.name.isEmpty }
    }
    return count
  }

  @Test("The second look at a thousand bundles opens none of their files, and knows of every change")
  func list() throws {
    let folder = try TemporaryFolder()
    for number in 0..<1_000 {
      try folder.write(
        """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        <urn:many:\(number)> a lv2:Plugin ; lv2:binary <many.so> ; <http://usefulinc.com/ns/doap#name> "Number \(number)" ;
          lv2:port [ a lv2:AudioPort , lv2:InputPort ; lv2:index 0 ; lv2:symbol "in" ; lv2:name "in" ] ,
            [ a lv2:AudioPort , lv2:OutputPort ; lv2:index 1 ; lv2:symbol "out" ; lv2:name "out" ] .
        """, to: "lv2/many\(number).lv2/manifest.ttl")
      try folder.write("", to: "lv2/many\(number).lv2/many.so")
    }
    try folder.write("<urn:broken> a ; nothing", to: "lv2/broken.lv2/manifest.ttl")
    let variables = ["LV2_PATH": folder.file("lv2"), "XDG_CACHE_HOME": folder.file("cache")]
    let first = try Self.list(variables)
    #expect(first.plugins.count == 1_000)
    #expect(first.plugins.allSatisfy { $0.refusal == nil && $0.inputs == 1 && $0.outputs == 1 })
    #expect(first.problems.contains { $0.contains("broken.lv2/manifest.ttl") }, "\(first.problems)")
    let bundles = (0..<1_000).map { folder.file("lv2/many\($0).lv2") }
    var second: EffectList?
    #expect(try Self.opened(bundles) { second = try Self.list(variables) } == 0)
    #expect(second == first)
    let words = ["describe", "48000", "urn:many:7", "urn:many:8", "urn:many:none"]
    var described: [Data] = []
    let opens = try (0..<2).map { _ in
      try Self.opened(bundles) { described.append(try Self.run(words, variables).output) }
    }
    #expect(opens[0] >= 1_000 && opens[1] == 0, "\(opens)")
    #expect(described[0] == described[1])
    let answer = try #require(EffectDescriptions(bytes: [UInt8](described[1])))
    #expect(
      answer.found.map(\.plugin.uri) == ["urn:many:7", "urn:many:8"] && answer.missing == ["urn:many:none"])
    // One more plugin is read, and the others are still known.
    #expect(try Self.opened(bundles) { _ = try Self.run(words + ["urn:many:9"], variables) } >= 1_000)
    #expect(
      try Self.opened(bundles) { _ = try Self.run(["describe", "48000", "urn:many:9"], variables) } == 0)
    try FileManager.default.removeItem(atPath: folder.file("lv2/many7.lv2/many.so"))
    let third = try Self.list(variables)
    #expect(
      third.plugins.first { $0.uri == "urn:many:7" }?.refusal?.hasSuffix("lv2/many7.lv2/many.so is missing")
        == true)
  }

  @Test("A plugin is described with units, ranges, choices and presets, and what is not installed is said")
  func describe() throws {
    let installed = InstalledEffects(program: Rig.program, pluginPath: try Rig.plugins.get().path)
    let described = try installed.describe(
      ["http://gareus.org/oss/lv2/fil4#mono", "urn:multiroute:wild", "urn:none"], rate: 48_000)
    #expect(described.missing == ["urn:none"] && described.found.count == 2)
    let cut = try #require(described.found[0].controls.first { $0.symbol == "HPfreq" })
    #expect(cut.unit == "Hz" && cut.range == 5...1_250 && cut.isLogarithmic && cut.standard == 20)
    #expect(described.found[1].presets == ["Loud"] && described.found[1].plugin.kind == "Plugin")
    #expect(described.found[1].controls.first { $0.symbol == "step" }?.kind == .toggle)
    let all = try installed.list()
    #expect(all.plugins.contains { $0.uri == "urn:multiroute:voltage" && $0.refusal != nil })
    #expect(all.plugins.contains { $0.name == "LSP Gate Mono" && $0.refusal == nil })
  }

  @Test("A program that is missing, or says nothing that can be read, is named")
  func noAnswer() throws {
    for (program, why) in [
      ("/nowhere/effects", "/nowhere/effects cannot be started: No such file or directory"),
      ("/bin/echo", "/bin/echo does not say what is installed"),
    ] {
      let failure = #expect(throws: InstalledEffects.Failure.self) {
        try InstalledEffects(program: program).list()
      }
      #expect(failure?.description == why)
    }
  }

  @Test(
    "Wrong words are told how it is used",
    arguments: [[], ["run"], ["list", "all"], ["describe", "fast", "urn:x"]])
  func usage(words: [String]) throws {
    let result = try Self.run(words)
    #expect(result.code == 64 && result.errors.contains("multiroute-effects list"))
  }

  @Test("The program ends when its router does, and refuses memory of another version")
  func ends() throws {
    let store = try EffectMemoryStore(frames: 64)
    func start(frames: Int) throws -> (process: Process, router: Int32, errors: Pipe) {
      let (process, errors) = (Process(), Pipe())
      // No other program that a test starts may keep an end open.
      let (ours, theirs) = try System.socketpair()
      process.executableURL = URL(filePath: Rig.program)
      process.arguments = ["run", "48000", "\(frames)", "0"]
      process.standardInput = FileHandle(
        fileDescriptor: try System.dup(store.descriptor), closeOnDealloc: true)
      let end = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
      process.standardOutput = end
      process.standardError = errors
      try process.run()
      try end.close()
      return (process, ours, errors)
    }
    let right = try start(frames: 64)
    #expect(try System.poll(right.router, milliseconds: 20_000))
    let said = try System.recv(right.router, count: 100) ?? []
    #expect(String(decoding: said, as: UTF8.self) == "{\"answer\": \"ready\"}\n")
    System.close(right.router)
    right.process.waitUntilExit()
    #expect(right.process.terminationStatus == 0)
    let wrong = try start(frames: 128)
    defer { System.close(wrong.router) }
    wrong.process.waitUntilExit()
    #expect(wrong.process.terminationStatus == 69)
    let text = wrong.errors.fileHandleForReading.readDataToEndOfFile()
    #expect(
      String(decoding: text, as: UTF8.self).contains("the memory is not that of 128 frames in this version"))
  }
}
