/// How a user gets the limits that the sound needs.
enum LimitCure {
  /// The command for a limit, `rtprio` or `memlock`.
  static func command(for item: String, _ machine: Machine) -> String {
    let user = machine.user
    let groups = machine.limitLines.filter { $0.item == item && $0.domain.hasPrefix("@") && $0.value != "0" }
      .map {
        String($0.domain.dropFirst())
      }
    // The group of this distribution that the user is in already, or else the usual one.
    let own = groups.first { user.nextGroups.contains($0) || user.groups.contains($0) }
    if let own {
      let reason =
        user.groups.contains(own) ? "the limits of the group \(own)" : "the group \(own)"
      return
        "loginctl terminate-user \(user.name)   # or log out and in again: \(reason) count from the next login"
    }
    let group = groups.contains("audio") ? "audio" : groups.first
    if let group { return "sudo usermod -aG \(group) \(user.name)   # then log in again" }
    return
      "printf '@audio - rtprio 95\\n@audio - memlock unlimited\\n' | sudo tee /etc/security/limits.d/95-audio.conf && sudo usermod -aG audio \(user.name)   # then log in again"
  }
}
