import OSC
import Parameters
import SessionModel

extension Match {
  /// Why the address has no value: the output does not ask for its meter, or has other channels than it measures. Nil for any other address.
  func missingMeter(in state: RouterState) -> SessionError? {
    guard let meter = parameter.outputMeter, let port = target.output.flatMap({ state.outputs[$0] })
    else { return nil }
    guard port.meters.contains(meter) else {
      return SessionError(
        .notFound, "\(port.id) does not ask for \(meter.rawValue); add it to /output/\(port.id)/meters")
    }
    guard meter.measures(channels: port.channels) else {
      return SessionError(
        .notFound, "\(port.id) has \(port.channels) channels, of which \(meter.rawValue) shows nothing")
    }
    return nil
  }
}

extension Parameter {
  /// The meter of an output whose value, or part of it, the parameter shows.
  fileprivate var outputMeter: OutputMeter? {
    meterValue?.meter ?? (address == "/meter/output/<o>/ppm/<n>" ? .ppm : nil)
  }
}

extension MeterValue {
  /// What it shows of a silent output.
  func silence(of port: Port?) -> [OSCArgument] {
    Array(repeating: .float(silence), count: isPerChannel ? port?.channels ?? 1 : 1)
  }
}
