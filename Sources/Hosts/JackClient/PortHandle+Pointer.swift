import MixKernel

extension PortHandle {
  /// The handle of libjack's `jack_port_t *`.
  init(_ pointer: OpaquePointer) { self.init(rawValue: UInt(bitPattern: pointer)) }

  /// libjack's `jack_port_t *`.
  var pointer: OpaquePointer? { @_noLocks get { OpaquePointer(bitPattern: rawValue) } }
}
