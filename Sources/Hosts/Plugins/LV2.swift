/// Names in LV2 that a host uses (https://lv2plug.in/ns).
enum LV2 {
  static let core = "http://lv2plug.in/ns/lv2core#"
  private static let extensions = "http://lv2plug.in/ns/ext/"

  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"
  static let inputPort = core + "InputPort"
  static let connectionOptional = core + "connectionOptional"
  static let isSideChain = core + "isSideChain"
  static let reportsLatency = core + "reportsLatency"
  static let designation = core + "designation"
  static let toggled = core + "toggled"
  static let integer = core + "integer"
  static let enumeration = core + "enumeration"
  static let sampleRate = core + "sampleRate"
  static let latency = core + "latency"

  static let atomPort = extensions + "atom#AtomPort"
  static let bufferType = extensions + "atom#bufferType"
  static let sequence = extensions + "atom#Sequence"
  static let chunk = extensions + "atom#Chunk"
  static let int = extensions + "atom#Int"
  static let long = extensions + "atom#Long"
  static let float = extensions + "atom#Float"
  static let double = extensions + "atom#Double"
  static let bool = extensions + "atom#Bool"
  static let path = extensions + "atom#Path"
  static let writable = extensions + "patch#writable"

  static let minimumSize = extensions + "resize-port#minimumSize"
  static let logarithmic = extensions + "port-props#logarithmic"
  static let group = extensions + "port-groups#group"
  static let sideChainOf = extensions + "port-groups#sideChainOf"
  static let unit = "http://lv2plug.in/ns/extensions/units#unit"
  static let unitSymbol = "http://lv2plug.in/ns/extensions/units#symbol"
  static let preset = extensions + "presets#Preset"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let range = "http://www.w3.org/2000/01/rdf-schema#range"

  static let map = extensions + "urid#map"
  static let unmap = extensions + "urid#unmap"
  static let options = extensions + "options#options"
  static let requiredOption = extensions + "options#requiredOption"
  static let bounded = extensions + "buf-size#boundedBlockLength"
  static let leastBlock = extensions + "buf-size#minBlockLength"
  static let mostBlock = extensions + "buf-size#maxBlockLength"
  static let usualBlock = extensions + "buf-size#nominalBlockLength"
  static let sequenceSize = extensions + "buf-size#sequenceSize"
  static let rate = extensions + "parameters#sampleRate"
  static let schedule = extensions + "worker#schedule"
  static let workerInterface = extensions + "worker#interface"
  static let log = extensions + "log#log"
  static let trace = extensions + "log#Trace"
  static let defaultState = extensions + "state#loadDefaultState"
  static let safeRestore = extensions + "state#threadSafeRestore"

  /// The features that a plugin may require.
  static let features: Set<String> = [
    map, unmap, options, bounded, schedule, log, defaultState, safeRestore, core + "isLive",
    core + "inPlaceBroken", core + "hardRTCapable",
  ]
  /// The options that a plugin may require.
  static let knownOptions: Set<String> = [leastBlock, mostBlock, usualBlock, sequenceSize, rate]
}
