import CLilv

/// The ports for events of one copy of a plugin. Nobody sends or reads events here, but many plugins want the ports to be connected.
final class EventPorts {
  private struct Port {
    var memory: UnsafeMutablePointer<LV2_Atom_Sequence>
    var isInput: Bool
    var size: UInt32
  }

  private let ports: [Port]
  private let sequence: UInt32
  private let chunk: UInt32

  init(_ ports: [PluginPort], _ instance: PluginInstance, _ urids: URIDMap) {
    (sequence, chunk) = (urids[LV2.sequence], urids[LV2.chunk])
    self.ports = ports.compactMap { port in
      guard case .events(let size) = port.kind else { return nil }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
      // Only the head is written: many plugins want 70 kB and use nothing of it.
      memory.initializeMemory(as: LV2_Atom_Sequence.self, repeating: .init(), count: 1)
      instance.connect(port.index, to: memory)
      return Port(
        memory: memory.assumingMemoryBound(to: LV2_Atom_Sequence.self), isInput: port.isInput,
        size: UInt32(size))
    }
  }

  deinit { for port in ports { UnsafeMutableRawPointer(port.memory).deallocate() } }

  /// Makes the ports ready for a run: no event comes in, and there is room for those that go out.
  func prepare() {
    for port in ports {
      port.memory.pointee.atom.type = port.isInput ? sequence : chunk
      port.memory.pointee.atom.size = port.isInput ? 8 : port.size - 8
      port.memory.pointee.body.unit = 0
      port.memory.pointee.body.pad = 0
    }
  }
}
