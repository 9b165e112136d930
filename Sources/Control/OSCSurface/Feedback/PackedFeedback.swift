import OSC

/// Messages of feedback, divided among bundles. Clients that get the same messages share them; only the numbers of their bundles differ.
struct PackedFeedback {
  let parts: [Part]

  struct Part {
    let elements: [OSCPacket]
    let addresses: [String]
  }

  init(_ messages: [EncodedMessage]) {
    parts = OSCBundle.packed(messages).map { part in
      Part(elements: part.map(OSCPacket.encoded), addresses: part.map(\.message.address))
    }
  }
}
