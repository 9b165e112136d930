import Checkout
import Interpreters
import SessionModel
import SessionPolicy
import TemporaryFolders
import Testing

@testable import Layouts

@Suite("A layout of TouchOSC is a file as the app writes it")
struct TouchOSCTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a script of Python on a file with some XML, which Python packs, and returns what it prints.
  private func python(_ script: String, _ xml: String) throws -> (output: String, code: Int32) {
    let packing = """
      import sys, zlib
      data = open(sys.argv[1], "rb").read()
      open(sys.argv[1], "wb").write(zlib.compress(data))
      """
    return try Interpreter.run(
      "python3", ["-c", "\(packing)\n\(script)", try folder.write(xml, to: "layout.tosc")])
  }

  private static let validation = """
    from py2tosc.cli import main
    sys.exit(main(["validate", sys.argv[1]]))
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

  @Test("It has the addresses of the session of Open Stage Control, and a touch for each fader")
  func addresses() throws {
    let layout = try Example.layout()
    let script = """
      import py2tosc
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
      case .toggle(let leaf, _), .hold(let leaf, _), .lamp(let leaf, _):
        expected.append([leaf.address, "1", "1", "INTEGER", "BUTTON"])
      case .trigger(let leaf, _): expected.append([leaf.address, "1", "0", "INTEGER", "BUTTON"])
      case .text(let address): expected.append([address, "0", "1", "STRING", "LABEL"])
      case .caption: break
      }
    }
    #expect(lines == expected)
  }

  /// Lua with the app's functions as far as the script uses them. Prints what is sent, and the colours that faders get.
  private static let app = """
    local now = 100000
    function getMillis() return now end
    function sendOSC(message)
      local parts = { message[1] }
      for _, argument in ipairs(message[2]) do
        table.insert(parts, argument.tag)
        table.insert(parts, tostring(argument.value))
      end
      print(table.concat(parts, ' '))
    end
    Color = { fromHexString = function(hex) return hex end }
    root = {}
    function root:findByName(name, isDeep)
      assert(isDeep)
      return name == '/strip/2/fader' and setmetatable({}, { __newindex = function(_, key, value) print(name, key, value) end })
    end
    local function pass(milliseconds)
      now = now + milliseconds
      update()
    end
    local function receive(address, value)
      onReceiveOSC({ address, { { tag = 's', value = value } } }, {})
    end
    """

  /// What the app sends and colours while a script runs and something happens to it.
  private func run(_ layout: Layout, _ happenings: String) throws -> [String] {
    let xml = layout.touchOSC
    let script = try #require(
      xml.firstMatch(
        of: #/<key><!\[CDATA\[script\]\]><\/key><value><!\[CDATA\[(.*?)\]\]>/#.dotMatchesNewlines()))
    return try Interpreter.lines("lua5.1", "\(Self.app)\n\(script.output.1)\n\(happenings)")
  }

  private static let greeting = [
    "/bank/1/size i 2", "/subscribe s /strip/{1,2}/{name,state,color,mute,fader} f 30 i 9000",
    "/subscribe s /strip/{1,2}/gain/text f 30 i 9000",
    "/subscribe s /preset/{current,standby,progress} f 30 i 9000",
    "/subscribe s /system/panic f 30 i 9000", "/subscribe s /interruption/phone/on f 30 i 9000",
    "/subscribe s /strip/{1,2}/meter/level f 15 i 9000", "/get s /interruption/phone/on",
  ]

  @Test(
    "The script subscribes to the port that the page names, again when the router is silent, and in between in turn"
  )
  func script() throws {
    let layout = Example.anyShow(bank: 2)
    #expect(try run(layout, "update()") == Self.greeting)
    // The app calls update for each frame, and the time of a renewal is three seconds.
    #expect(try run(layout, "update() pass(16) pass(2900)") == Self.greeting)
    #expect(try run(layout, "update() receive('/pong', '') pass(3000)") == Self.greeting + Self.greeting)
    let alive = String(repeating: "receive('/alive', '') pass(3000) ", count: 9)
    #expect(try run(layout, "update() \(alive)") == Self.greeting + Self.greeting + [Self.greeting[0]])
    #expect(
      try run(layout, "update() receive('/alive', '') pass(3000) pass(3000)") == Self.greeting
        + [Self.greeting[0]] + Self.greeting)
    #expect(try Checkout.text("docs/guide/surfaces/touchosc.md").contains("Receive Port | `9000`"))
  }

  @Test("The fader of a strip gets the colour of its target, and its own when there is none")
  func colors() throws {
    let happenings = """
      receive('/strip/2/color', '#ff8800') receive('/strip/2/color', 'none') receive('/strip/3/color', '#ff8800')
      receive('/strip/2/name', '#ff8800') receive('/output/usb/color', '#ff8800')
      """
    #expect(
      try run(Example.anyShow(bank: 2), happenings) == [
        "/strip/2/fader\tcolor\tff8800ff", "/strip/2/fader\tcolor\t4a90d9ff",
      ])
  }
}
