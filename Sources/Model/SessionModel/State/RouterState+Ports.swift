extension RouterState {
  /// The number of JACK ports that the router has, or is about to make, one for each channel.
  public var ownPortCount: Int {
    let devices = (outputs.values + inputs.values).reduce(0) { $0 + $1.channels }
    return sessions.values.reduce(devices) { sum, session in
      session.streams.values.reduce(sum + session.capture.channels) { $0 + $1.channels }
    }
  }

  /// The number of ports that the audio server still has room for; nil if it has no limit. Ports that are not audio are not counted.
  public var freePortCount: Int? { server.portLimit.map { $0 - jackPorts.count - ownPortCount } }
}
