import Parameters

extension PresetObject {
  static let monitor = PresetObject(
    "monitor", at: "ports.<id>.solo", "A monitor output, which hears what is soloed.", fields: [],
    owners: [.monitor])

  static let talkback = PresetObject(
    "talkback", at: "sessions.<id>.talkback",
    "A microphone that speaks to some outputs while its button is pressed.", fields: [],
    owners: [.talkback])
}
