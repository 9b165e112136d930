import EffectsHost
import Presets
import SessionModel
import SystemCalls

/// What the doctor knows about a machine. The checks read nothing else.
struct Machine: Equatable {
  var user = User()
  /// The limits of this process, which programs that are started from the same shell have, too.
  var limits = Limits()
  /// The lines of `/etc/security/limits.conf` and `limits.d` that set real-time priority or locked memory.
  var limitLines: [LimitLine] = []
  /// Whether rtkit gives real-time priority to programs that ask for it, as those of PipeWire do.
  var hasRtkit = false
  /// Bytes of swap.
  var swap = 0
  var processors: [Processor] = []
  var clock = Clock()
  var cards: [SoundCard] = []
  /// Sound programs, and programs that hold sound devices.
  var programs: [RunningProgram] = []
  /// The path of the JACK library that this program has loaded.
  var jackLibrary: String?
  var pipeWire = PipeWireFacts()
  /// The libraries that cannot be loaded, and why.
  var missingLibraries: [LoadedLibrary: DynamicLibrary.Missing] = [:]
  /// The names of the libraries that can be loaded.
  var libraries: [String] = []
  /// The name of the examined server.
  var serverName = Self.usualServer
  /// What a program that joins the server sees.
  var server = JoinedServer()
  var disk = DiskFacts()
  var presets = PresetFacts()
  var effects = EffectFacts()
  /// The JACK ports that no preset matches; empty if no server runs.
  var unmatchedPorts: [JackPort] = []
  /// Nil if no router answers.
  var router: RouterFacts?
  /// Why a router whose socket is open does not answer; nil if it answers, or there is none.
  var routerFailure: String?

  /// The name of a jackd that was started without a name.
  static let usualServer = "default"

  struct User: Equatable {
    var name = "root"
    var number = 0
    /// The groups of this login.
    var groups: [String] = []
    /// The groups of the next login.
    var nextGroups: [String] = []
    /// Whether the user may have any priority, whatever the limits are (capabilities(7)).
    var mayRaisePriority = false
    /// Whether the user may lock any amount of memory, whatever the limits are (capabilities(7)).
    var mayLockMemory = false
  }

  struct Limits: Equatable {
    /// The highest real-time priority, from 1; 0 if none is allowed.
    var priority = 0
    /// Bytes that a program may lock.
    var lockedMemory = 0
  }

  /// A line such as `@audio - rtprio 95`.
  struct LimitLine: Equatable {
    /// The user, or `@` and a group.
    var domain: String
    /// `rtprio` or `memlock`.
    var item: String
    var value: String
  }

  struct Processor: Equatable {
    var name: String
    /// Nil if the processor's speed does not change, as in most virtual machines.
    var governor: String?
    var driver = ""
  }

  struct Clock: Equatable {
    var current = ""
    var available: [String] = []
  }

  struct PipeWireFacts: Equatable {
    /// The version of PipeWire's library; nil if it is not installed.
    var version: String?
    /// Whether PipeWire's JACK library is installed.
    var hasJackLibrary = false
    /// The settings of its configuration files about rate and quantum, by name.
    var settings: [String: String] = [:]
  }

  struct DiskFacts: Equatable {
    var folder = ""
    /// Bytes that this user may still write.
    var free = 0
    /// Measured write speed to the disk in bytes per second.
    var rate = 0.0
    /// The longest wait for one block, in seconds.
    var longestWait = 0.0
    /// Why nothing could be written.
    var failure: String?
  }

  struct PresetFacts: Equatable {
    /// Number of presets in the user's folders.
    var count = 0
    /// The presets that do not load, each with its first problem.
    var broken: [Broken] = []
    /// The ids of the presets in the order of the show.
    var order: [String] = []
    /// Ids in `order` that no preset has.
    var missing: [String] = []
    /// Why the configuration cannot be read.
    var configurationProblem: String?

    struct Broken: Equatable {
      var id: String
      var problem: String
    }
  }

  /// How the chains of effects of presets have run.
  struct EffectFacts: Equatable {
    /// Frames per second.
    var rate = 48_000.0
    /// Seconds of a period.
    var period = 0.0
    var chains: [Chain] = []
    /// Why no chain can run, and what mends that.
    var failure: String?
    var cure = ""

    /// The presets that have chains, in the order of the chains.
    var presets: [String] { Set(chains.map(\.preset)).sorted() }

    struct Chain: Equatable {
      /// The preset's id.
      var preset: String
      /// What goes through it, such as `show.band`.
      var owner: String
      var result: EffectTrial.Result
    }
  }

  struct RouterFacts: Equatable {
    var address: String
    /// The id of the preset in force; nil if there is none.
    var preset: String?
    /// Programs that play at devices and belong to no session.
    var strangers: [DirectProgram] = []
    /// Sessions whose programs are also connected past the router, with the causes.
    var past: [Past] = []
    /// The JACK clients that are no devices.
    var clients: [String] = []
    /// Whether the server is PipeWire, which tells the names of programs.
    var isAtPipeWire = false
    /// Globs of the preset in force that match nothing, as sentences.
    var unmatched: [String] = []

    struct Past: Equatable {
      var session: String
      var causes: String
    }
  }
}

/// What a program that joins a JACK server sees.
public struct JoinedServer: Equatable, Sendable {
  /// The version of the JACK library in force, in its own words.
  public var library = ""
  /// Whether that library is PipeWire's.
  public var isPipeWire = false
  /// Nil if no server lets the program join.
  public var settings: Settings?
  /// Why no server lets the program join.
  public var failure = ""

  public struct Settings: Equatable, Sendable {
    public var (rate, period): (Int, Int)
    public var isRealtime: Bool

    public init(rate: Int, period: Int, isRealtime: Bool) {
      (self.rate, self.period, self.isRealtime) = (rate, period, isRealtime)
    }
  }

  public init(
    library: String = "", isPipeWire: Bool = false, settings: Settings? = nil, failure: String = ""
  ) {
    (self.library, self.isPipeWire) = (library, isPipeWire)
    (self.settings, self.failure) = (settings, failure)
  }
}
