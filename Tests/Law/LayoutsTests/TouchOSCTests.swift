import Checkout
import Foundation
import SessionModel
import SessionPolicy
import TemporaryFolders
import Testing

@testable import Layouts

@Suite("A layout of TouchOSC is a file as the app writes it")
struct TouchOSCTests {
  /// Runs a script of Python on a file, and returns what it prints.
  private func python(_ script: String, _ bytes: [UInt8]) throws -> (output: String, code: Int32) {
    let folder = try TemporaryFolder()
    let (file, output) = (folder.file("layout.tosc"), folder.file("output"))
    try Data(bytes).write(to: URL(filePath: file))
    #expect(FileManager.default.createFile(atPath: output, contents: nil))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", script, file]
    process.environment = ["PYTHONPATH": Checkout.file(".build/python"), "PYTHONIOENCODING": "utf-8"]
    let handle = try FileHandle(forWritingTo: URL(filePath: output))
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    return (try String(contentsOfFile: output, encoding: .utf8), process.terminationStatus)
  }

  /// `py2tosc validate`, and the XML as another reader unpacks it.
  private static let validation = """
    import sys
    from py2tosc.cli import main
    sys.exit(main(["validate", sys.argv[1]]))
    """
  private static let unpacking = """
    import sys, zlib
    sys.stdout.buffer.write(zlib.decompress(open(sys.argv[1], "rb").read()))
    """

  @Test("py2tosc finds nothing to say about it", arguments: [1, 8, 24])
  func validity(bank: Int) throws {
    for layout in [
      try Example.layout(title: "Act \"2\" ]]> <b> & 'übel'", bank: bank), Example.anyShow(bank: bank),
    ] {
      let (output, code) = try python(Self.validation, layout.touchOSC)
      #expect(code == 0, "\(output)")
      #expect(!output.contains("warning") && !output.contains("error"), "\(output)")
    }
  }

  @Test("Python unpacks the file to the same XML, and packing makes it small")
  func packing() throws {
    let layout = try Example.layout(bank: 24)
    let (output, code) = try python(Self.unpacking, layout.touchOSC)
    #expect(code == 0 && output == layout.touchOSCText)
    #expect(layout.touchOSC.count * 15 < output.utf8.count)
  }

  @Test("The stream is right for empty, short, random and repetitive data")
  func streams() throws {
    var random = SystemRandomNumberGenerator()
    let samples: [[UInt8]] = [
      [], [0], [255, 255], Array("abcabcabcabc".utf8), Array(repeating: 7, count: 100_000),
      (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) },
      (0..<40_000).map { _ in UInt8.random(in: 0...3, using: &random) },
      (0..<70_000).map { UInt8($0 / 7 % 251) },
    ]
    for sample in samples {
      let script = """
        import sys, zlib
        print(" ".join(str(byte) for byte in zlib.decompress(open(sys.argv[1], "rb").read())))
        """
      let (output, code) = try python(script, ZlibStream.bytes(of: sample))
      #expect(code == 0)
      #expect(output == sample.map(String.init).joined(separator: " ") + "\n", "\(sample.count) bytes")
    }
  }

  @Test("It has the addresses of the session of Open Stage Control, and a touch for each fader")
  func addresses() throws {
    let layout = try Example.layout()
    let script = """
      import sys, py2tosc
      document = py2tosc.load(sys.argv[1])
      for control in document.root.walk():
          for message in control.messages:
              print("".join(part.value for part in message.path), int(message.send), int(message.receive),
                    message.arguments[0].conversion, control.control_type.value)
      """
    let (output, code) = try python(script, layout.touchOSC)
    #expect(code == 0, "\(output)")
    let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    let widgets = layout.pages.flatMap(\.widgets) + layout.bar
    var expected: [[String]] = []
    for widget in widgets {
      switch widget.role {
      case .fader(let leaf):
        expected.append([leaf.fader, "1", "1", "FLOAT", "FADER"])
        expected.append([leaf.fader + "/touch", "1", "0", "BOOLEAN", "FADER"])
      case .meter(let address): expected.append([address, "0", "1", "FLOAT", "FADER"])
      case .toggle(let leaf, _), .lamp(let leaf, _):
        expected.append([leaf.address, "1", "1", "INTEGER", "BUTTON"])
      case .trigger(let leaf, _): expected.append([leaf.address, "1", "0", "INTEGER", "BUTTON"])
      case .text(let address): expected.append([address, "0", "1", "STRING", "LABEL"])
      case .caption: break
      }
    }
    #expect(lines == expected)
  }

  @Test("The script subscribes to the port that the page names, and renews the lease")
  func script() throws {
    let text = Example.anyShow(bank: 2).touchOSCText
    #expect(
      text.contains(
        """
        local port = 9000
        local greeting = {
          { '/bank/1/size', { { tag = 'i', value = 2 } } },
          { '/subscribe', { { tag = 's', value = '/strip/{1,2}/{name,state,color,mute,fader}' }, { tag = 'f', value = 30 }, { tag = 'i', value = port } } },
          { '/subscribe', { { tag = 's', value = '/strip/{1,2}/gain/text' }, { tag = 'f', value = 30 }, { tag = 'i', value = port } } },
          { '/subscribe', { { tag = 's', value = '/preset/{current,standby,progress}' }, { tag = 'f', value = 30 }, { tag = 'i', value = port } } },
          { '/subscribe', { { tag = 's', value = '/system/panic' }, { tag = 'f', value = 30 }, { tag = 'i', value = port } } },
          { '/subscribe', { { tag = 's', value = '/interruption/phone/on' }, { tag = 'f', value = 30 }, { tag = 'i', value = port } } },
          { '/subscribe', { { tag = 's', value = '/strip/{1,2}/meter/level' }, { tag = 'f', value = 15 }, { tag = 'i', value = port } } },
          { '/get', { { tag = 's', value = '/interruption/phone/on' } } },
        }
        local heard, said, turn = -1000000, -1000000, 0
        """))
    #expect(try Checkout.text("docs/surfaces/touchosc.md").contains("Receive Port | `9000`"))
  }
}
