import CJack
import CRealtime
import Synchronization

// The functions that libjack calls on its own threads. Each one posts a small event and returns: the server
// waits for some of them, other clients wait for the server, and libjack refuses calls from inside a
// callback. PipeWire or jackd2 may call some of them on the audio thread; those are `@_noLocks` and wake no
// thread, so the reader polls for them.

@_noLocks private func board(_ argument: UnsafeMutableRawPointer) -> UnsafeMutablePointer<NoticeBoard> {
  argument.assumingMemoryBound(to: NoticeBoard.self)
}

/// Prepares each thread that libjack starts for us, before the thread does anything else.
@c func prepareThread(_ argument: UnsafeMutableRawPointer?) {
  mr_denormals_off()
  if let argument { board(argument).pointee.nameStartedThread() }
}

@c @_noLocks func noticeXrun(_ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { board(argument).pointee.post(.xrun) }
  return 0
}

@c @_noLocks func noticePeriod(_ frames: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { board(argument).pointee.post(.period, frames) }
  return 0
}

@c @_noLocks func noticeRate(_ rate: UInt32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
  if let argument { board(argument).pointee.post(.rate, rate) }
  return 0
}

@c @_noLocks func applyLatencies(
  _ mode: jack_latency_callback_mode_t, _ argument: UnsafeMutableRawPointer?
) {
  guard let argument else { return }
  board(argument).pointee.latencies.apply(mode)
  board(argument).pointee.post(.latencies)
}

@c func noticePort(_ port: UInt32, _ registered: Int32, _ argument: UnsafeMutableRawPointer?) {
  if let argument {
    board(argument).pointee.postAndWake(registered != 0 ? .portRegistered : .portUnregistered)
  }
}

/// jackd2 announces the ports of a closing client as gone while they still exist. When it announces the
/// client's end, they no longer exist.
@c func noticeClient(_ name: UnsafePointer<CChar>?, _ registered: Int32, _ argument: UnsafeMutableRawPointer?)
{
  if let argument, registered == 0 { board(argument).pointee.postAndWake(.portUnregistered) }
}

@c func noticeRename(
  _ port: UInt32, _ old: UnsafePointer<CChar>?, _ new: UnsafePointer<CChar>?,
  _ argument: UnsafeMutableRawPointer?
) {
  guard let argument else { return }
  // Only `unregisterPort` gives a port the name that it has already.
  if let old, let new, String(cString: old) == String(cString: new) {
    return board(argument).pointee.pause.holdIfRequested()
  }
  board(argument).pointee.postAndWake(.portRenamed)
}

@c func noticeConnect(
  _ source: UInt32, _ destination: UInt32, _ connected: Int32, _ argument: UnsafeMutableRawPointer?
) {
  guard let argument else { return }
  board(argument).pointee.changes.note()
  board(argument).pointee.postAndWake(connected != 0 ? .connected : .disconnected, source, destination)
}

@c func noticeFreewheel(_ starting: Int32, _ argument: UnsafeMutableRawPointer?) {
  guard let argument else { return }
  board(argument).pointee.freewheels.store(starting != 0, ordering: .relaxed)
  board(argument).pointee.postAndWake(.freewheel, starting != 0 ? 1 : 0)
}

@c func noticeShutdown(_ argument: UnsafeMutableRawPointer?) {
  if let argument { board(argument).pointee.postAndWake(.shutdown) }
}

@c func noticeInfoShutdown(
  _ status: jack_status_t, _ reason: UnsafePointer<CChar>?, _ argument: UnsafeMutableRawPointer?
) {
  if let argument { board(argument).pointee.postAndWake(.shutdown, status.rawValue, text: reason) }
}

@c @_noLocks func noticeErrorMessage(_ text: UnsafePointer<CChar>?) { JackMessages.post(isError: true, text) }
@c @_noLocks func noticeInfoMessage(_ text: UnsafePointer<CChar>?) { JackMessages.post(isError: false, text) }
