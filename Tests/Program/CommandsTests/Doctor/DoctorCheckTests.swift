import EffectsHost
import SessionModel
import SystemCalls
import Testing

@testable import Commands

@Suite("The doctor's findings")
struct DoctorCheckTests {
  /// A machine with which nothing is wrong.
  static var healthy: Machine {
    var machine = Machine()
    machine.user = Machine.User(
      name: "alice", number: 1_000, groups: ["alice", "audio"], nextGroups: ["audio"])
    machine.limits = Machine.Limits(priority: 95, lockedMemory: .max)
    machine.limitLines = [Machine.LimitLine(domain: "@audio", item: "rtprio", value: "95")]
    machine.processors = [Machine.Processor(name: "cpu0", governor: "performance", driver: "acpi-cpufreq")]
    machine.clock = Machine.Clock(current: "tsc", available: ["tsc", "hpet"])
    machine.cards = [card("USB", at: "1-3")]
    machine.programs = [
      Machine.RunningProgram(
        number: 12, name: "jackd", arguments: ["-R", "-P70", "-d", "alsa", "-d", "hw:USB", "-n", "3"],
        isRealtime: true, devices: ["pcmC1D0p"])
    ]
    machine.server = JoinedServer(
      library: "1.9.22", settings: JoinedServer.Settings(rate: 48_000, period: 256, isRealtime: true))
    machine.disk = Machine.DiskFacts(
      folder: "/home/alice/recordings", free: 100 << 30, rate: 2e8, longestWait: 0.02)
    machine.presets = Machine.PresetFacts(count: 2)
    return machine
  }

  static func card(
    _ id: String, at place: String, speed: Double = 480, version: Double = 2, maySleep: Bool = false
  ) -> SoundCard {
    SoundCard(
      number: 1, id: id, name: id,
      usb: SoundCard.Place(name: place, speed: speed, version: version, maySleep: maySleep))
  }

  /// A machine whose preset has one chain.
  static func effects(_ change: (inout EffectTrial.Result) -> Void) -> Machine.EffectFacts {
    var result = EffectTrial.Result()
    change(&result)
    var facts = Machine.EffectFacts(period: 256 / 48_000)
    facts.chains = [.init(preset: "show", owner: "show.band", result: result)]
    return facts
  }

  /// A machine with one thing changed, and what the doctor says of it.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let change: @Sendable (inout Machine) -> Void
    /// Parts of each finding's clause, whether it would be heard, and a part of its cure.
    let findings: [(what: String, isAudible: Bool, cure: String)]
    var testDescription: String { name }

    init(
      _ name: String, _ findings: [(what: String, isAudible: Bool, cure: String)],
      _ change: @escaping @Sendable (inout Machine) -> Void
    ) {
      (self.name, self.findings, self.change) = (name, findings, change)
    }
  }

  static let cases: [Case] = [
    Case("a healthy machine", []) { _ in },
    Case(
      "a library is missing",
      [("no FLAC in Ogg: libFLAC.so.12 is missing", false, LoadedLibrary.flac.package.command())]
    ) {
      $0.missingLibraries = [.flac: DynamicLibrary.Missing("libFLAC.so.12 is missing")]
    },
    Case("root may do everything", []) {
      $0.user = Machine.User(mayRaisePriority: true, mayLockMemory: true)
      $0.limits = Machine.Limits()
    },

    // MARK: Limits
    Case(
      "no limits are set",
      [("alice may not have real-time priority", true, "sudo tee /etc/security/limits.d/95-audio.conf")]
    ) {
      ($0.limits.priority, $0.limitLines) = (0, [])
    },
    Case("not in the group", [("may not have real-time priority", true, "sudo usermod -aG audio alice")]) {
      ($0.limits.priority, $0.user.groups, $0.user.nextGroups) = (0, ["alice"], [])
    },
    Case(
      "in the group since this login",
      [("may not have real-time priority", true, "log out and in again: the group audio")]
    ) {
      ($0.limits.priority, $0.user.groups) = (0, ["alice"])
    },
    Case("PipeWire with rtkit", [("get it from rtkit all the same", false, "usermod")]) {
      ($0.limits.priority, $0.user.groups, $0.user.nextGroups) = (0, [], [])
      ($0.hasRtkit, $0.server.isPipeWire, $0.programs) = (true, true, [])
    },
    Case("jackd -r", [("jackd (process 12) runs without real-time priority", true, "jackd -R -d dummy")]) {
      ($0.programs[0].isRealtime, $0.programs[0].arguments) = (false, ["-r", "-d", "dummy"])
      $0.programs[0].devices = []
    },
    Case("little memory may be locked, without swap", [("only 8192 KiB", false, "memlock unlimited")]) {
      $0.limits.lockedMemory = 8 << 20
    },
    Case("little memory may be locked, with swap", [("only 8192 KiB", true, "memlock unlimited")]) {
      ($0.limits.lockedMemory, $0.swap) = (8 << 20, 1 << 30)
    },

    // MARK: Processor and clock
    Case(
      "a processor at its lowest speed",
      [("governor of the processors is powersave", true, "echo performance")]
    ) {
      $0.processors[0].governor = "powersave"
    },
    Case("a processor that chooses its speed", [("is powersave", false, "echo performance")]) {
      ($0.processors[0].governor, $0.processors[0].driver) = ("powersave", "intel_pstate")
    },
    Case("one processor of two slows down", [("is schedutil", false, "echo performance")]) {
      $0.processors.append(Machine.Processor(name: "cpu1", governor: "schedutil"))
    },
    Case("no processor changes its speed", []) { $0.processors[0].governor = nil },
    Case("a slow clock", [("from hpet", false, "echo tsc")]) { $0.clock.current = "hpet" },
    Case("a slow clock, and the kernel refused the other", [("from acpi_pm", false, "dmesg")]) {
      $0.clock = Machine.Clock(current: "acpi_pm", available: ["acpi_pm"])
    },
    Case("a clock that ticks too slowly", [("from jiffies", true, "echo tsc")]) {
      $0.clock.current = "jiffies"
    },

    // MARK: Server
    Case(
      "no server",
      [("no JACK server lets a program join: it is off", true, "jackd -R -P70 -d alsa -d hw:USB")]
    ) {
      $0.server = JoinedServer(library: "1.9.22", failure: "it is off")
      $0.programs = []
    },
    Case(
      "no server and no card",
      [
        ("no JACK server", true, "--start-server"), ("ALSA knows no sound card", false, "aplay -l"),
      ]
    ) {
      ($0.server, $0.programs, $0.cards) = (JoinedServer(library: "1.9.22"), [], [])
    },
    Case("PipeWire without its JACK library", [("no JACK server", true, "sudo apt install pipewire-jack")]) {
      $0.server = JoinedServer(library: "1.9.22")
      $0.programs = [Machine.RunningProgram(number: 9, name: "pipewire", isRealtime: true)]
    },
    Case(
      "jackd of another user", [("no JACK server lets a program join", true, "sudo -u '#0'")]
    ) {
      $0.server.settings = nil
    },
    Case(
      "jackd of another name", [("no JACK server lets a program join", true, "--server stage")]
    ) {
      $0.server.settings = nil
      ($0.programs[0].user, $0.programs[0].arguments) = (1_000, ["-n", "stage", "-d", "dummy"])
    },
    Case(
      "a jackd that stands still",
      [("join: the server does not answer", true, "kill 12")]
    ) {
      $0.server = JoinedServer(library: "1.9.22", failure: "the server does not answer")
      $0.programs[0].user = 1_000
    },
    Case("a router that does not answer", [("the router does not answer: silence", true, "systemctl")]) {
      $0.routerFailure = "silence"
    },
    Case("PipeWire, which run will find", []) {
      $0.server = JoinedServer(library: "1.9.22")
      $0.programs = [Machine.RunningProgram(number: 9, name: "pipewire", isRealtime: true)]
      $0.pipeWire = Machine.PipeWireFacts(version: "1.4.2", hasJackLibrary: true)
    },
    Case("a server that is not in real time", [("the server does not run in real time", true, "jackd -R")]) {
      $0.server.settings?.isRealtime = false
    },
    Case(
      "PipeWire's library beside jackd",
      [("are started as this one was join PipeWire", false, "LD_LIBRARY_PATH")]
    ) {
      $0.server.isPipeWire = true
    },
    Case("two periods at a USB card", [("jackd has 2 periods at the USB card USB", false, "-n 3")]) {
      $0.programs[0].arguments = ["-d", "alsa", "-dhw:USB", "-n2"]
    },

    // MARK: Cards and devices
    Case("a card at full speed", [("runs at full speed, 12 Mbit/s, though it has USB 2", false, "480M")]) {
      $0.cards = [Self.card("USB", at: "1-3", speed: 12)]
    },
    Case("an old card at full speed", [("runs at full speed, 12 Mbit/s", false, "lsusb -t")]) {
      $0.cards = [Self.card("USB", at: "1-3", speed: 12, version: 1.1)]
    },
    Case("two cards on one hub", [("the cards USB and Mic share the USB hub 1-3", false, "lsusb -t")]) {
      $0.cards = [Self.card("USB", at: "1-3.1"), Self.card("Mic", at: "1-3.4")]
    },
    Case(
      "two cards of full speed on one hub",
      [
        ("USB runs at full speed", false, ""), ("Mic runs at full speed", false, ""),
        ("share the USB hub 1-3.2", true, "lsusb -t"),
      ]
    ) {
      $0.cards = ["USB": "1-3.2.1", "Mic": "1-3.2.2"].sorted { $0.value < $1.value }.map {
        Self.card($0.key, at: $0.value, speed: 12, version: 1.1)
      }
    },
    Case("two cards in ports of the machine", []) {
      $0.cards = [Self.card("USB", at: "1-3"), Self.card("Mic", at: "1-4")]
    },
    Case(
      "a card that may sleep",
      [("may put the card USB to sleep", false, "/sys/bus/usb/devices/1-3/power/control")]
    ) {
      $0.cards = [Self.card("USB", at: "1-3", maySleep: true)]
    },
    Case(
      "PulseAudio holds another card",
      [("pulseaudio (process 77) holds pcmC0D0p", false, "systemctl --user stop pulseaudio.socket")]
    ) {
      $0.programs.append(Machine.RunningProgram(number: 77, name: "pulseaudio", devices: ["pcmC0D0p"]))
    },
    Case(
      "a player holds the card that a server needs",
      [
        ("no JACK server", true, "jackd"), ("mpv (process 78) holds pcmC1D0p", true, "kill 78"),
      ]
    ) {
      $0.programs = [Machine.RunningProgram(number: 78, name: "mpv", devices: ["pcmC1D0p"])]
      $0.server = JoinedServer(library: "1.9.22")
    },
    Case("a bridge holds a card", []) {
      $0.programs.append(Machine.RunningProgram(number: 79, name: "zita-j2a", devices: ["pcmC2D0p"]))
    },

    Case("two equal cards at PipeWire", [("several cards have the name USB", false, "\"node\"")]) {
      $0.cards.append(Self.card("USB", at: "1-4"))
      $0.programs = [Machine.RunningProgram(number: 9, name: "pipewire", isRealtime: true)]
      $0.server.isPipeWire = true
    },
    Case(
      "PipeWire without real-time priority",
      [("pipewire (process 9) runs without real-time priority", true, "sudo apt install rtkit")]
    ) {
      $0.programs = [Machine.RunningProgram(number: 9, name: "pipewire")]
      $0.server.isPipeWire = true
    },

    // MARK: Disk and presets
    Case("a slow disk", [("the disk of /home/alice/recordings is slow", false, "--media")]) {
      $0.disk.rate = 4e6
    },
    Case("a disk that is too slow", [("is too slow for recordings", true, "--media")]) { $0.disk.rate = 1e6 },
    Case("a disk that stops for seconds", [("is too slow for recordings", true, "--media")]) {
      $0.disk.longestWait = 6
    },
    Case("a disk that is nearly full", [("has only 1024 MiB free", false, "df -h")]) {
      $0.disk.free = 1 << 30
    },
    Case("a disk that is full", [("has only 50 MiB free", true, "df -h")]) { $0.disk.free = 50 << 20 },
    Case(
      "a folder that refuses files",
      [("nothing can be written into /home/alice/recordings: Permission denied", true, "mkdir -p")]
    ) {
      $0.disk.failure = "Permission denied"
    },
    Case("a broken preset", [("the preset old would not load: line 3", false, "multiroute check old")]) {
      $0.presets.broken = [.init(id: "old", problem: "line 3")]
    },
    Case(
      "a broken preset of the show, and one that is missing",
      [
        ("the preset act-1 would not load", true, "multiroute check act-1"),
        ("names the preset act-2, which does not exist", true, "multiroute presets"),
      ]
    ) {
      $0.presets.broken = [.init(id: "act-1", problem: "line 3")]
      ($0.presets.order, $0.presets.missing) = (["act-1", "act-2"], ["act-2"])
    },
    Case(
      "a configuration with a mistake", [("the configuration cannot be read: line 1", true, "--config none")]
    ) {
      $0.presets.configurationProblem = "line 1"
    },

    // MARK: Ports and router
    Case(
      "ports that no preset matches",
      [
        ("no preset of yours matches Game:out_1, Game:out_2", false, "\"from\": [\"Game:*\"]"),
        ("no preset of yours matches HDMI:playback_1", false, "\"outputs\": [\"HDMI:*\"]"),
      ]
    ) {
      $0.unmatchedPorts = [
        JackPort("Game:out_1", isInput: false), JackPort("Game:out_2", isInput: false),
        JackPort("HDMI:playback_1", isInput: true),
      ]
    },
    Case(
      "programs that are heard past the router",
      [
        ("Game plays at usb:1 now and belongs to no session", true, "\"from\": [\"Game:*\"]"),
        ("show: also heard directly at usb:2", true, "\"exclusive\": true"),
      ]
    ) {
      var router = Machine.RouterFacts(address: "127.0.0.1:9440")
      router.strangers = [DirectProgram(client: "Game", sinks: ["usb:1"])]
      router.past = [.init(session: "show", causes: "also heard directly at usb:2")]
      $0.router = router
    },
    Case(
      "programs that connect themselves",
      [
        ("mpv-01 connects itself when it starts", false, "--jack-connect=no"),
        ("Music Player Daemon connects itself", false, "auto_destination_ports"),
        ("pure_data connects itself", false, "-nojackconnect"),
        ("csound6 connects itself", false, "-odac:null"),
        ("SuperCollider connects itself", false, "SC_JACK_DEFAULT_OUTPUTS="),
        ("PipeWire's session manager connects each program", false, "--wireplumber"),
      ]
    ) {
      var router = Machine.RouterFacts(address: "127.0.0.1:9440")
      router.clients = ["mpv-01", "Band", "Music Player Daemon", "pure_data", "csound6", "SuperCollider"]
      router.isAtPipeWire = true
      $0.router = router
    },
    Case("effects that run in time", []) { $0.effects = Self.effects { $0.time = 0.001 } },
    Case(
      "effects that take most of a period",
      [
        (
          "effects of the preset show take 3000 us of a period of 5333 us", true,
          "multiroute presets show show"
        )
      ]
    ) { $0.effects = Self.effects { $0.time = 0.003 } },
    Case(
      "effects with a fault, and with a value that the plugin does not take",
      [
        ("effect 2 of show.band of the preset show: it has crashed, on noise", true, "multiroute check show"),
        ("show.band of the preset show: it has no control HPfreg", false, "multiroute presets show show"),
      ]
    ) {
      $0.effects = Self.effects {
        $0.faults = [EffectTrial.Fault(effect: 1, trouble: .crashed, sound: .noise, why: "it has crashed")]
        $0.notes = ["it has no control HPfreg"]
      }
    },
    Case(
      "no program for effects",
      [("no effect can be used here: it is missing", true, "sudo apt install it")]
    ) {
      $0.effects.failure = "it is missing"
      $0.effects.cure = "sudo apt install it"
    },
    Case("a name in the preset that nothing has", [("nothing matches Bund:*", false, "multiroute ports")]) {
      var router = Machine.RouterFacts(address: "127.0.0.1:9440")
      router.unmatched = ["show.band: nothing matches Bund:*"]
      $0.router = router
    },
  ]

  @Test("A machine has the findings of its table, with what mends them", arguments: cases)
  func findings(_ row: Case) {
    var machine = Self.healthy
    row.change(&machine)
    let report = DoctorReport(machine)
    let found = report.diagnoses.flatMap(\.diagnosis.findings)
    #expect(found.count == row.findings.count, "\(found)")
    for (finding, expected) in zip(found, row.findings) {
      #expect(finding.what.contains(expected.what) && finding.isAudible == expected.isAudible, "\(finding)")
      #expect(finding.cure.contains(expected.cure), "\(finding)")
      #expect(
        finding.what.last != "." && finding.why.last == "." && !finding.cure.contains("\n"), "\(finding)")
    }
    #expect(report.audible == row.findings.count(where: \.isAudible))
  }

  @Test("Every check has a name of its own, and the healthy machine gives most of them a fact")
  func checks() {
    let names = DoctorCheck.all.map(\.name)
    #expect(Set(names).count == names.count)
    let silent = DoctorReport(Self.healthy).diagnoses.filter { $0.diagnosis.facts.isEmpty }.map(\.check)
    #expect(silent == ["effects", "ports"])
  }

  @Test("A jackd's command says which server it is, and what its driver is told")
  func commands() {
    func jackd(_ line: String) -> Machine.RunningProgram {
      Machine.RunningProgram(number: 1, name: "jackd", arguments: line.split(separator: " ").map(String.init))
    }
    #expect(jackd("-R -d alsa -d hw:USB -n 3").serverName == "default")
    #expect(jackd("-n stage -R -dalsa -dhw:USB -n3").serverName == "stage")
    #expect(jackd("--name=stage --driver=dummy").serverName == "stage")
    #expect(jackd("-nstage -d dummy -r 48000").serverName == "stage")
    #expect(jackd("-nstage -d dummy -r 48000").alsaArguments == nil)
    #expect(jackd("-n stage -dalsa -dhw:USB -n3").alsaArguments.map(Array.init) == ["-dhw:USB", "-n3"])
    #expect(jackd("-r -d alsa -r 48000").realtimeCommand == "jackd -R -d alsa -r 48000")
    #expect(jackd("-R -d alsa -r 48000").realtimeCommand == nil)
    #expect(jackd("").serverName == "default")
    #expect(jackd("-n").serverName == "default")
  }
}
