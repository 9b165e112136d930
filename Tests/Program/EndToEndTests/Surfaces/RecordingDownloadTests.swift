import Foundation
import HTTPClient
import OSC
import TestKit
import Testing

/// Recordings over HTTP, as a running router serves them.
@Suite struct RecordingDownloadTests {
  @Test("A host with admin gets a recording of the list bit for bit, and nothing else of the disk")
  func download() async throws {
    let house = try await MusicHouse(songs: 1, flags: ["--http", "127.0.0.1:0"])
    let port = try house.router.webPort()
    try FileManager.default.createDirectory(
      atPath: "\(house.media)/recordings/folder.wav", withIntermediateDirectories: true)
    let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    let odd = "Äct \"one\" & 50%.wav"
    for name in ["tape-1.wav", odd, "notes.txt", ".hidden.wav"] {
      try house.write(bytes, to: "recordings/\(name)")
    }
    try house.write(bytes, to: "other.wav")
    try FileManager.default.createSymbolicLink(
      atPath: "\(house.media)/recordings/link.wav", withDestinationPath: "\(house.media)/other.wav")
    let surface = house.surface
    try surface.send("/recorder/create", "tape", "session:music")
    try surface.tell("/recorder/tape/files")
    let rows = try (0..<2).map { _ in try surface.wait(for: "/recorder/tape/files").arguments }
    #expect(rows.allSatisfy { $0[1] == .int32(2) && $0[3] == .int64(700_000) }, "\(rows)")
    #expect(Set(rows.map { $0[2].text }) == ["tape-1.wav", odd])
    #expect(
      rows.allSatisfy { $0[4].text?.hasPrefix("20") == true && $0[4].text?.hasSuffix("Z") == true }, "\(rows)"
    )

    let connection = try HTTPConnection(port: port)
    let answer = try #require(connection.ask("GET", "/recordings/tape-1.wav"))
    #expect(answer.status == 200 && answer.fields["content-type"] == "audio/wav" && answer.body == bytes)
    #expect(
      answer.fields["content-disposition"]
        == "attachment; filename=\"tape-1.wav\"; filename*=UTF-8''tape-1.wav")
    #expect(
      answer.fields["x-content-type-options"] == "nosniff" && answer.fields["cache-control"] == "no-store")
    let encoded = odd.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
    let second = try #require(connection.ask("GET", "/recordings/\(encoded)"))
    #expect(second.status == 200 && second.body == bytes)
    #expect(
      second.fields["content-disposition"]
        == "attachment; filename=\"_ct__one____50_.wav\"; filename*=UTF-8''%C3%84ct%20%22one%22%20%26%2050%25.wav"
    )
    let head = try #require(connection.ask("HEAD", "/recordings/tape-1.wav"))
    #expect(head.status == 200 && head.fields["content-length"] == "700000")
    for path in [
      "", "nothing.wav", "notes.txt", ".hidden.wav", "folder.wav", "link.wav", "..%2fother.wav",
      "%2e%2e/other.wav",
      "../other.wav", "../../../../../etc/passwd", "%2fetc%2fpasswd", "folder.wav/x.wav", "tape-1.wav/",
      "tape-1.wav%00",
      ".",
    ] {
      let answer = try HTTPConnection.ask("GET", "/recordings/\(path)", port: port)
      #expect([nil, 403, 404].contains(answer?.status), "\(path): \(answer?.status ?? 0)")
      #expect(answer?.body.count ?? 0 < 1_000, "\(path)")
    }
    for (host, field) in [
      ("evil.example", "Accept: */*"), ("127.0.0.1:\(port)", "Origin: http://evil.example"),
    ] {
      let stranger = try HTTPConnection(port: port)
      #expect(stranger.ask("GET", "/recordings/tape-1.wav", host: host, fields: [field])?.status == 403)
    }
  }

  @Test("A recording that is being written is refused with its recorder, and is whole once that has stopped")
  func written() async throws {
    let house = try await MusicHouse(songs: 1, flags: ["--http", "127.0.0.1:0"])
    let connection = try HTTPConnection(port: try house.router.webPort())
    try house.surface.send("/recorder/create", "tape", "session:music")
    let to = ["--to", "127.0.0.1:\(house.router.port)"]
    for _ in 0..<5 {
      let name = try Program.run(["record", "tape", "--start"] + to).output.trimmingCharacters(in: .newlines)
      let refusal = try #require(connection.ask("GET", "/recordings/\(name)"))
      #expect(refusal.status == 409 && refusal.text.contains("/recorder/tape/stop"), "\(refusal.text)")
      try house.surface.send("/recorder/tape/stop")
      // The recorder finishes the file a moment after it has stopped.
      var first = try #require(connection.ask("GET", "/recordings/\(name)"))
      while first.status == 409 { first = try #require(connection.ask("GET", "/recordings/\(name)")) }
      #expect(try Program.run(["record", "tape", "--stop"] + to).code == 0)
      let file = try Data(contentsOf: URL(filePath: "\(house.media)/recordings/\(name)"))
      let isWhole = first.status == 200 && first.body.elementsEqual(file)
      #expect(isWhole, "\(first.body.count) of \(file.count) bytes")
    }
  }

  @Test(
    "A host with view or control gets no recording, and none of the names there",
    .enabled(if: PrivateMachine.isPossible), arguments: ["view", "control", "admin"])
  func rights(right: String) async throws {
    let folder = try TemporaryFolder()
    let stage = try PrivateMachine("stage")
    let foh = try PrivateMachine("foh", number: 2, cableTo: stage)
    let server = try await PrivateServer()
    let configuration = try folder.write(
      "{ \"multiroute\": 1, \"hosts\": { \"10.77.0.2\": \"\(right)\" } }", to: "config.json")
    let recordings = folder.file("XDG_DATA_HOME/multiroute/media/recordings")
    try FileManager.default.createDirectory(atPath: recordings, withIntermediateDirectories: true)
    try Data("sound".utf8).write(to: URL(filePath: "\(recordings)/tape-1.wav"))
    let router = try RouterProcess(
      preset: folder.write(MusicHouse.preset, to: "show.json"), server: server.name, in: folder,
      flags: ["--config", configuration, "--http", "cable0:0"], launcher: stage.launcher,
      owners: [server, stage])
    let script = """
      import sys, urllib.request, urllib.error
      for name in ["tape-1.wav", "nothing.wav"]:
          try:
              answer = urllib.request.urlopen(f"http://10.77.0.1:{sys.argv[1]}/recordings/{name}", timeout=10)
          except urllib.error.HTTPError as error:
              answer = error
          print(answer.status, answer.read().decode().strip())
      """
    let peer = try foh.run("python3", ["-c", script, "\(router.webPort())"])
    #expect(peer.wait(seconds: 20) == 0, "\(peer.errors.text)")
    let said = peer.output.text.split(separator: "\n").map(String.init)
    if right == "admin" {
      #expect(said.first == "200 sound" && said.last?.hasPrefix("404 ") == true, "\(said)")
    } else {
      #expect(
        said.count == 2 && said.allSatisfy { $0.hasPrefix("403 10.77.0.2 has the right \(right)") }, "\(said)"
      )
    }
  }
}
