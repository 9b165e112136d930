import Glibc
import Testing

@testable import Commands

@Suite("Signals are taken one by one by who waits for them")
struct ProcessSignalsTests {
  @Test("Each signal is told apart, and none ends the process")
  func taken() async {
    await #expect(processExitsWith: .success) {
      unblockAll()
      let signals = ProcessSignals()
      for (number, signal) in [
        (SIGINT, ProcessSignals.Signal.interrupt), (SIGTERM, .terminate), (SIGHUP, .hangUp),
      ] {
        pthread_kill(pthread_self(), number)
        guard signals.next() == signal else { exit(1) }
      }
      guard signals.next(within: .zero) == nil, signals.next(within: .milliseconds(1)) == nil else { exit(2) }
      exit(0)
    }
  }

  @Test("Without it a signal ends the process, which shows that the test could fail")
  func control() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      unblockAll()
      pthread_kill(pthread_self(), SIGTERM)
      exit(0)
    }
  }

  @Test("A released signal ends the process at once, also one that is waiting already")
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

  @Test("A reader that goes away does not end a process that survives broken pipes")
  func brokenPipe() async {
    await #expect(processExitsWith: .success) {
      _ = ProcessSignals(survivingBrokenPipes: true)
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      Files.write("nobody reads this", to: ends[1])
      exit(0)
    }
  }
}

/// The test library's threads have signals blocked; the main thread of a program has not.
private func unblockAll() {
  var set = sigset_t()
  sigfillset(&set)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}
