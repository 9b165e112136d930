import Glibc
import SystemCalls
import Testing

@testable import Commands

@Suite("A waiting thread takes signals one by one")
struct ProcessSignalsTests {
  @Test("Signals are distinguished, and none ends the process")
  func taken() async {
    await #expect(processExitsWith: .success) {
      unblockAll()
      let signals = ProcessSignals()
      for (number, signal) in [
        (SIGINT, ProcessSignals.Signal.interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp),
        (SIGUSR1, .restart),
      ] {
        pthread_kill(pthread_self(), number)
        guard signals.next() == signal else { exit(1) }
      }
      guard signals.next(within: .zero) == nil, signals.next(within: .milliseconds(1)) == nil else { exit(2) }
      exit(0)
    }
  }

  @Test("Positive control: without ProcessSignals a signal ends the process")
  func control() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      unblockAll()
      pthread_kill(pthread_self(), SIGTERM)
      exit(0)
    }
  }

  @Test("A released signal ends the process at once, even if it is pending already")
  func released() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      let signals = ProcessSignals()
      pthread_kill(pthread_self(), SIGINT)
      _ = signals.next()
      pthread_kill(pthread_self(), SIGINT)
      signals.release(.interrupt)
      exit(0)
    }
  }

  @Test("A process that survives broken pipes goes on when its reader ends")
  func brokenPipe() async {
    await #expect(processExitsWith: .success) {
      _ = ProcessSignals(survivingBrokenPipes: true)
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      try? System.writeAll(ends[1], Array("no program reads this".utf8))
      exit(0)
    }
  }
}

/// The threads of the test library have blocked signals; the main thread of a program has not.
private func unblockAll() {
  var set = sigset_t()
  sigfillset(&set)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
