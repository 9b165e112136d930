/// A dump like that of a laptop with plugged-in headphones and two identical USB cards.
enum Dump {
  static func node(_ id: Int, _ properties: String) -> String {
    """
    { "id": \(id), "type": "PipeWire:Interface:Node", "version": 3, "info": { "state": "idle", "error": null,
      "props": { \(properties) }, "params": { "Props": [ { "volume": 1.000000, "mute": false } ] } } }
    """
  }

  static func port(_ serial: Int, of node: Int, _ name: String, _ direction: String = "input") -> String {
    """
    { "id": \(serial + 1000), "type": "PipeWire:Interface:Port", "info": { "direction": "\(direction)",
      "props": { "object.serial": \(serial), "node.id": \(node), "port.name": "\(name)", "port.physical": true } } }
    """
  }

  static let laptop =
    "["
    + [
      """
      { "id": 40, "type": "PipeWire:Interface:Device", "info": {
        "props": { "device.api": "alsa", "device.bus": "pci", "device.form-factor": "internal" },
        "params": { "Route": [
          { "index": 3, "direction": "Output", "device": 1, "info": [ 2, "port.type", "headphones", "port.availability-group", "X" ] },
          { "index": 1, "direction": "Input", "device": 0, "info": [ 1, "port.type", "mic" ] } ] } } }
      """,
      node(
        41,
        #""node.name": "alsa_output.pci", "node.description": "Built-in Audio", "media.class": "Audio/Sink", "device.id": 40, "card.profile.device": 1, "session.suspended": true"#
      ),
      node(50, #""node.name": "alsa_output.usb-Twin-00", "node.description": "Twin", "device.bus": "usb""#),
      node(51, #""node.name": "alsa_output.usb-Twin-00.2", "node.description": "Twin", "device.bus": "usb""#),
      port(60, of: 41, "playback_FL"), port(61, of: 50, "playback_FL"), port(62, of: 51, "playback_FL"),
      port(63, of: 51, "monitor_FL", "output"), port(64, of: 99, "orphan"),
    ].joined(separator: ",\n") + "]"
}
