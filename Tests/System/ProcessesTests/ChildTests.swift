import Processes
import SystemCalls
import TemporaryFolders
import Testing
import Threads

@Suite struct ChildTests {
  /// A shell that runs a script. All its streams lead to the test.
  private func shell(_ script: String) throws -> Child {
    var program = ChildProgram("sh", ["-c", script])
    (program.input, program.output, program.error) = (.us, .us, .us)
    return try Child(program)
  }

  @Test("Input to a child comes back line by line, followed by the end of the stream")
  func lines() throws {
    let child = try shell("cat; printf end; exit 7")
    var lines = LineStream(child.output)
    #expect(child.write(Array("one\ntwo\n".utf8)))
    #expect(lines.next() == "one")
    #expect(lines.next() == "two")
    #expect(lines.next(milliseconds: 10) == nil)
    #expect(!lines.hasEnded)
    child.endInput()
    #expect(lines.next() == "end")
    #expect(lines.next() == nil)
    #expect(lines.hasEnded)
    #expect(child.wait() == .exited(7))
    #expect(child.wait(milliseconds: 0) == .exited(7))
    #expect(!child.write([1]))
  }

  @Test("A line that is longer than the limit is dropped, and the next line is kept")
  func longLine() throws {
    let child = try shell("head -c 20000 /dev/zero; sleep 0.1; printf '\\nshort\\n'")
    var lines = LineStream(child.output, limit: 10_000)
    while let line = lines.next(), line != "short" { #expect(line.utf8.count <= 14_096) }
    #expect(!lines.hasEnded)
  }

  @Test("Standard error leads to where standard output does, or nowhere")
  func streams() throws {
    var program = ChildProgram("sh", ["-c", "echo said >&2; read line || echo no input"])
    (program.output, program.error) = (.us, .output)
    #expect(try Child(program).readOutput(limit: 100, seconds: 10) == Array("said\nno input\n".utf8))
    program.error = .nowhere
    #expect(try Child(program).readOutput(limit: 100, seconds: 10) == Array("no input\n".utf8))
  }

  @Test("Output is read up to a limit of bytes and of time")
  func limits() throws {
    let text = Array(repeating: UInt8(0), count: 200_000)
    #expect(try shell("head -c 200000 /dev/zero").readOutput(limit: 200_000, seconds: 10) == text)
    #expect(try shell("head -c 200001 /dev/zero").readOutput(limit: 200_000, seconds: 10) == nil)
    #expect(try shell("sleep 10").readOutput(limit: 100, seconds: 0.05) == nil)
  }

  @Test("A child that ignores the request to end is killed; a child that obeys is not")
  func ends() throws {
    #expect(try shell("exec sleep 60").end(within: 10_000) == .killed(by: .terminate))
    let stubborn = try shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")
    var lines = LineStream(stubborn.output)
    #expect(lines.next() == "ready")
    #expect(stubborn.wait(milliseconds: 0) == nil)
    #expect(stubborn.end(within: 50) == .killed(by: .kill))
    // No process receives the signal any more.
    stubborn.send(.kill)
  }

  @Test("A child is killed when its last reference goes away")
  func dropped() throws {
    let process = try shell("exec sleep 60").identifier
    #expect(!System.exists(process))
  }

  @Test("Variables of a child replace ours of the same name, and all others are passed on")
  func environment() throws {
    var program = ChildProgram("sh", ["-c", "echo $HOME $PATH $0"])
    (program.variables, program.output) = (["HOME=/nowhere"], .us)
    let path = System.getenv("PATH") ?? ""
    #expect(try Child(program).readOutput(limit: 10_000, seconds: 10) == Array("/nowhere \(path) sh\n".utf8))
  }

  @Test("A child inherits no signal that is ignored or blocked here, and no descriptor")
  func inheritance() throws {
    var found: [UInt8]?
    let (left, right) = try System.socketpair()
    defer { for descriptor in [left, right] { System.close(descriptor) } }
    let thread = OwnThread("blocked") {
      System.pthread_sigmask([.terminate], isBlocked: true)
      let child = try? self.shell("exec sleep 60")
      _ = try? System.write(left, child?.end(within: 10_000) == .killed(by: .terminate) ? [1] : [0])
    }
    thread.join()
    found = try System.recv(right, count: 1)
    #expect(found == [1])
    let names = try shell("ls /proc/self/fd").readOutput(limit: 100, seconds: 10)
    // The last descriptor is that of the folder itself.
    #expect(names == Array("0\n1\n2\n3\n".utf8))
  }

  @Test("A child that is bound to its thread is killed when the thread ends; any other child is not")
  func bound() throws {
    func child(endsWithThread: Bool) throws -> Child {
      let children = Children()
      OwnThread("parent") {
        var program = ChildProgram("sleep", ["60"])
        program.endsWithThread = endsWithThread
        children.child = try? Child(program)
      }.join()
      return try #require(children.child)
    }
    #expect(try child(endsWithThread: true).wait(milliseconds: 10_000) == .killed(by: .kill))
    #expect(try child(endsWithThread: false).wait(milliseconds: 300) == nil)
  }

  /// Unchecked: the value is read after the thread that writes it has ended.
  private final class Children: @unchecked Sendable {
    var child: Child?
  }

  @Test("A program whose file is still open for writing starts once that file is closed")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("program")
    let file = try System.open(path, [.write, .create], permissions: 0o700)
    try System.writeAll(file, Array("#!/bin/sh\nexit 7\n".utf8))
    System.close(file)
    let writer = try shell("exec 3>> \(path); echo ready; read line")
    var lines = LineStream(writer.output)
    #expect(lines.next() == "ready")
    let children = Children()
    let (left, right) = try System.socketpair()
    defer { for descriptor in [left, right] { System.close(descriptor) } }
    let thread = OwnThread("starter") {
      children.child = try? Child(ChildProgram(path))
      _ = try? System.write(left, [1])
    }
    #expect(try !System.poll(right, milliseconds: 50))
    // Not by the end of its input: the child on its way to the program still holds a copy of our end.
    #expect(writer.write(Array("enough\n".utf8)))
    thread.join()
    #expect(children.child?.wait() == .exited(7))
  }

  @Test("A missing file, or one that is not a program, gives the system's error number and the path")
  func missing() {
    #expect(throws: SystemError("exec", .noSuchFile, "multiroute-absent")) {
      try Child(ChildProgram("multiroute-absent"))
    }
    #expect(throws: SystemError("exec", .accessDenied, "/")) { try Child(ChildProgram("/")) }
  }

  @Test("A program is found in the first folder that has it as a file, and then in those of PATH")
  func found() {
    #expect(ChildProgram.find("sh", in: ["/nowhere", "/bin", "/usr/bin"]) == "/bin/sh")
    #expect(ChildProgram.find("sh", in: [])?.hasSuffix("/sh") == true)
    // A folder is not a program.
    #expect(ChildProgram.find("bin", in: ["/usr"]) == nil)
  }
}
