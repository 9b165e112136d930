public import Queues
import SessionModel

/// Packets that name files of the media folders.
extension SurfaceService {
  /// Refuses every lookup.
  public static let noFiles: FileFinder = { _, _ throws(SessionError) in
    throw SessionError(.notFound, "sound files are at hand only in `multiroute run`")
  }

  /// Keeps a packet back that is about the players of packets in the line, or refuses it if the line is full.
  /// - Returns: whether it waits.
  func keepBack(_ command: inout SurfaceCommand) -> Bool {
    // A fader may be heard already, and its place among other commands does not matter.
    guard !line.isEmpty, surface.tree.faders(of: command.packet).isEmpty,
      line.keepsBack(PlayerSubjects(of: command.packet), of: command.peer)
    else { return false }
    guard !line.isFull else {
      command.refusal = Self.full
      return false
    }
    line.add(command)
    lane.leave()
    return true
  }

  /// Has the words of a packet looked up; its turn comes when they are found.
  ///
  /// - Parameter place: the packet's number in the line; nil for a packet that comes anew.
  /// - Throws: `SessionError` full, or the reason why they cannot be looked up now.
  func search(_ words: [String], for command: SurfaceCommand, at time: Double, place: Int?)
    throws(SessionError)
  {
    guard place != nil || !line.isFull else { throw Self.full }
    let number = line.search(for: command, at: time, number: place)
    do throws(SessionError) { try findFiles(number, words) } catch {
      line.remove(number)
      throw error
    }
  }

  private static let full = SessionError(
    .full, "too many commands wait for files to be found; send the command again later")

  /// Takes what the words of a packet mean. On the policy thread.
  public func found(_ number: Int, _ meanings: [String: QueueAddition]) {
    line.found(number) { $0.words = PacketWords(meanings) }
    advanceLine()
  }

  /// Lets the packets behind one go on that was carried out.
  func leaveLine(_ number: Int) {
    line.leave(number)
    advanceLine()
  }

  /// Submits the packets that need no longer wait.
  func advanceLine() {
    line.submit { number in
      lane.comeBack()
      let isSubmitted = takeTurn(.waiting(number: number))
      if !isSubmitted { lane.leave() }
      return isSubmitted
    }
  }

  /// Refuses the packets whose files were not found in time, because a disk does not answer.
  func expireLine(at time: Double) {
    guard !line.isEmpty else { return }
    line.expire(at: time) { command in
      command.refusal = SessionError(
        .io,
        "the disk has not answered for \(Int(WaitingLine.patience)) s; nothing was changed, send the command again later"
      )
    }
    advanceLine()
  }
}
