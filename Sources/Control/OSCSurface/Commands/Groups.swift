import OSC
import Parameters
import SessionModel

extension Surface {
  /// Creates a group, with `s id [s member...]`.
  func createGroup(
    _ arguments: Arguments, in transaction: inout PacketTransaction
  ) throws(SessionError) {
    let id: GroupID = try arguments.id()
    try apply(.group(id, .create), in: &transaction)
    var members: [GroupPattern] = []
    for index in arguments.all.indices.dropFirst() {
      members.append(try GroupPattern(parameterText: try arguments.text(at: index)))
    }
    if !members.isEmpty { try apply(.group(id, .set(.members(members))), in: &transaction) }
  }
}
