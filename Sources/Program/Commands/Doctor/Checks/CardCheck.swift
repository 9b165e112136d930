import Numbers

/// The sound cards, and where USB cards are plugged in.
enum CardCheck {
  static func examine(_ machine: Machine) -> Diagnosis {
    guard !machine.cards.isEmpty else {
      return Diagnosis(findings: [
        .hint(
          "ALSA knows no sound card", why: "Only a server without a card, or another machine, can play.",
          cure: "aplay -l   # lists the cards once one is plugged in and its driver is loaded")
      ])
    }
    return Diagnosis(
      facts: machine.cards.map(fact),
      findings: machine.cards.flatMap(alone) + together(machine.cards) + namesakes(machine))
  }

  private static func fact(_ card: SoundCard) -> String {
    let place = card.usb.map { ", USB at \($0.name) with \($0.speed.shortText) Mbit/s" } ?? ""
    return "card \(card.number) \(card.id): \(card.name)\(place)"
  }

  /// What is wrong with one card.
  private static func alone(_ card: SoundCard) -> [Finding] {
    guard let usb = card.usb else { return [] }
    var findings: [Finding] = []
    if usb.speed < 100, usb.speed > 0 {
      let isCapable = usb.version >= 2
      findings.append(
        .hint(
          "the card \(card.id) runs at full speed, \(usb.speed.shortText) Mbit/s"
            + (isCapable ? ", though it has USB \(usb.version.shortText)" : ""),
          why:
            "That is enough for about two channels each way; with more the card offers fewer, or drops out.",
          cure: isCapable
            ? "lsusb -t   # plug the card into a port of the machine, with a short cable, until this says 480M"
            : "lsusb -t   # give the card a port of the machine of its own"))
    }
    if usb.maySleep {
      findings.append(
        .hint(
          "the kernel may put the card \(card.id) to sleep",
          why: "The first sound after a pause comes late or is cut.",
          cure: "echo on | sudo tee /sys/bus/usb/devices/\(usb.name)/power/control"))
    }
    return findings
  }

  /// Cards that share a hub.
  private static func together(_ cards: [SoundCard]) -> [Finding] {
    let hubs = Set(cards.compactMap { $0.usb?.hub }).sorted()
    return hubs.compactMap { hub in
      let sharers = cards.filter { $0.usb?.hub == hub }
      guard sharers.count > 1 else { return nil }
      let names = sharers.map(\.id).joined(separator: " and ")
      // One translator of the hub serves all its cards of full speed.
      let isFull = sharers.filter { $0.usb.map { $0.speed < 100 } ?? false }.count > 1
      return Finding(
        what: "the cards \(names) share the USB hub \(hub)",
        why: isFull
          ? "At full speed all of them share 12 Mbit/s, and each drops out when the other is busy."
          : "They share the hub's bandwidth and power, and both are gone if its plug is pulled.",
        cure: "lsusb -t   # plug each card into a port of the machine", isAudible: isFull)
    }
  }

  /// Cards of one name, which PipeWire may give one name at JACK, too.
  private static func namesakes(_ machine: Machine) -> [Finding] {
    guard machine.programs.contains(where: { $0.name == "pipewire" }) else { return [] }
    let names = machine.cards.map(\.name)
    return Set(names).filter { name in names.count(where: { $0 == name }) > 1 }.sorted().map { name in
      .hint(
        "several cards have the name \(name)",
        why:
          "PipeWire may give them one JACK name, and change which is which when they are plugged in again.",
        cure:
          "\"node\": \"alsa_output.usb-*-00.*\"   # in \"ports\", beside \"outputs\"; pw-cli ls Node has the names"
      )
    }
  }
}
