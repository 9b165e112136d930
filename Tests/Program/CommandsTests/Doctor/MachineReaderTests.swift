import Foundation
import SessionModel
import Testing

@testable import Commands

@Suite("What the doctor reads of a machine")
struct MachineReaderTests {
  /// A folder that stands for a machine.
  private struct Tree {
    let folder: TemporaryFolder
    var reader: MachineReader { MachineReader(root: folder.path("machine")) }

    init(_ files: [String: String] = [:], links: [String: String] = [:]) throws {
      folder = try TemporaryFolder()
      for (path, text) in files { _ = try folder.file("machine" + path, text) }
      for (path, target) in links {
        let place = folder.path("machine" + path)
        try FileManager.default.createDirectory(
          atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: target)
      }
    }
  }

  @Test("The user, the groups and the limits")
  func user() throws {
    let tree = try Tree([
      "/proc/self/status":
        "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGroups:\t29 1000 \nCapEff:\t0000000000800000\n",
      "/proc/self/limits":
        "Limit                     Soft Limit           Hard Limit           Units     \nMax locked memory         8388608              8388608              bytes     \nMax realtime priority     unlimited            unlimited            \n",
      "/etc/passwd": "root:x:0:0::/root:/bin/sh\nalice:x:1000:1000:Alice,,,:/home/alice:/bin/sh\n",
      "/etc/group": "audio:x:29:bob,alice\nvideo:x:44:alice\nalice:x:1000:\n",
      "/etc/security/limits.conf": "# @audio - rtprio 1\n",
      "/etc/security/limits.d/95-audio.conf": "@audio  -  rtprio 95 # for JACK\n@audio - memlock unlimited\n",
      "/etc/security/limits.d/old.conf~": "@audio - rtprio 10\n",
      "/proc/meminfo": "MemTotal:  8000000 kB\nSwapTotal:       2048 kB\n",
    ])
    let machine = tree.reader.machine(home: nil)
    #expect(machine.user.name == "alice" && machine.user.groups == ["audio", "alice"])
    #expect(machine.user.nextGroups == ["audio", "video"])
    #expect(machine.user.mayRaisePriority && !machine.user.mayLockMemory)
    #expect(machine.limits == Machine.Limits(priority: .max, lockedMemory: 8_388_608))
    #expect(machine.limitLines.map(\.item) == ["rtprio", "memlock"])
    #expect(machine.limitLines.first?.value == "95" && machine.swap == 2_048 * 1_024)
    #expect(!machine.hasRtkit)
  }

  @Test("Processors with their governors, and the clock")
  func processors() throws {
    let folder = "/sys/devices/system"
    let tree = try Tree([
      "\(folder)/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
      "\(folder)/cpu/cpu0/cpufreq/scaling_driver": "intel_pstate\n", "\(folder)/cpu/cpu1/online": "1\n",
      "\(folder)/cpu/cpufreq/boost": "1\n",
      "\(folder)/clocksource/clocksource0/current_clocksource": "hpet\n",
      "\(folder)/clocksource/clocksource0/available_clocksource": "hpet acpi_pm \n",
    ])
    let machine = tree.reader.machine(home: nil)
    #expect(
      machine.processors == [
        Machine.Processor(name: "cpu0", governor: "powersave", driver: "intel_pstate"),
        Machine.Processor(name: "cpu1", governor: nil),
      ])
    #expect(machine.clock == Machine.Clock(current: "hpet", available: ["hpet", "acpi_pm"]))
  }

  @Test("Cards with the USB ports that they are plugged into")
  func cards() throws {
    var files = [
      "/proc/asound/cards":
        " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      HDA Intel PCH at 0xf7d30000 irq 33\n 1 [USB            ]: USB-Audio - Scarlett 4i4 [new]\n                      Focusrite at usb-0000:00:14.0-3.2\n",
      "/proc/asound/card1/usbbus": "001/005\n",
    ]
    func device(_ name: String, _ values: [String: String]) {
      for (file, value) in values { files["/sys/bus/usb/devices/\(name)/\(file)"] = value + "\n" }
    }
    device("usb1", ["busnum": "1", "devnum": "1", "speed": "480", "version": " 2.00"])
    device(
      "1-3.2", ["busnum": "1", "devnum": "5", "speed": "12", "version": " 1.10", "power/control": "auto"])
    device("2-1", ["busnum": "2", "devnum": "5", "speed": "5000", "version": " 3.00", "power/control": "on"])
    let tree = try Tree(files)
    let cards = tree.reader.cards
    #expect(
      cards == [
        SoundCard(number: 0, id: "PCH", name: "HDA Intel PCH"),
        SoundCard(
          number: 1, id: "USB", name: "Scarlett 4i4 [new]",
          usb: SoundCard.Place(name: "1-3.2", speed: 12, version: 1.1, maySleep: true)),
      ])
    #expect(cards.last?.usb?.hub == "1-3")
  }

  @Test("Programs that hold sound devices, and which run in real time")
  func programs() throws {
    func stat(_ name: String, policy: Int) -> String {
      "7 (\(name)) S " + Array(repeating: "0", count: 37).joined(separator: " ") + " \(policy) 0 0\n"
    }
    let tree = try Tree(
      [
        "/proc/7/comm": "jackd\n", "/proc/7/status": "Uid:\t1000\t1000\n",
        "/proc/7/cmdline": "/usr/bin/jackd\0-d\0alsa\0",
        "/proc/7/task/7/stat": stat("jackd", policy: 0), "/proc/7/task/8/stat": stat("a) 1 (b", policy: 1),
        "/proc/9/comm": "mpv\n", "/proc/9/cmdline": "mpv\0song.flac\0",
        "/proc/9/task/9/stat": stat("mpv", policy: 0),
        "/proc/10/comm": "sh\n", "/proc/self/comm": "doctor\n",
      ],
      links: [
        "/proc/9/fd/3": "/dev/snd/pcmC1D0p", "/proc/9/fd/4": "/dev/snd/pcmC1D0p",
        "/proc/9/fd/5": "/dev/snd/controlC1",
        "/proc/10/fd/0": "/dev/null",
      ])
    #expect(
      tree.reader.programs == [
        Machine.RunningProgram(
          number: 7, name: "jackd", arguments: ["-d", "alsa"], user: 1_000, isRealtime: true),
        Machine.RunningProgram(number: 9, name: "mpv", arguments: ["song.flac"], devices: ["pcmC1D0p"]),
      ])
  }

  @Test(
    "The JACK library in force, and the version and settings of PipeWire",
    arguments: [("0.365.0", "0.3.65"), ("0.1402.0", "1.4.2")])
  func servers(file: String, version: String) throws {
    let library = "/usr/lib/x86_64-linux-gnu"
    let tree = try Tree([
      "/proc/self/maps":
        "7f00-7f01 r-xp 00000000 08:01 1   \(library)/libc.so.6\n7f02-7f03 r--p 00000000 08:01 2   \(library)/libjack.so.0.1.0\n",
      "\(library)/libpipewire-0.3.so.\(file)": "", "\(library)/pipewire-0.3/jack/libjack.so.0": "",
      "/usr/share/pipewire/pipewire.conf":
        "context.properties = {\n  default.clock.quantum = 1024 # usual\n  #default.clock.rate = 44100\n  vm.overrides = {\n    default.clock.min-quantum = 1024\n  }\n  default.clock.max-quantum = 8192\n}\n",
      "/etc/pipewire/pipewire.conf.d/show.conf": "  default.clock.quantum = 256\n",
      "/home/alice/.config/pipewire/pipewire.conf.d/a.conf":
        "default.clock.allowed-rates = [ 44100 48000 ]\n",
    ])
    let machine = tree.reader.machine(home: "/home/alice")
    #expect(machine.jackLibrary == "\(library)/libjack.so.0.1.0")
    #expect(machine.pipeWire.version == version && machine.pipeWire.hasJackLibrary)
    #expect(
      machine.pipeWire.settings == [
        "quantum": "256", "max-quantum": "8192", "allowed-rates": "[ 44100 48000 ]",
      ])
  }

  @Test("A machine of which nothing can be read has no facts, and the checks find the server missing")
  func empty() throws {
    let tree = try Tree()
    let machine = tree.reader.machine(home: nil)
    #expect(machine.cards.isEmpty && machine.processors.isEmpty && machine.pipeWire.version == nil)
    #expect(
      DoctorReport(machine).diagnoses.contains { $0.check == "server" && !$0.diagnosis.findings.isEmpty })
  }

  @Test("The disk is measured with a file that is gone afterwards, also where the folder does not exist yet")
  func disk() throws {
    let folder = try TemporaryFolder()
    _ = try folder.folder("media")
    let facts = DiskMeasure.measure(folder.path("media/recordings"))
    #expect(facts.failure == nil && facts.rate > 0 && facts.longestWait > 0 && facts.free > 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("media")).isEmpty)
    let refused = DiskMeasure.measure("/proc/recordings")
    #expect(refused.failure != nil)
  }
}
