import Checkout
import Foundation
import TemporaryFolders
import Testing

/// A program that runs scripts.
public enum Interpreter {
  /// Runs a program of Debian, and returns what it prints to both streams. Python has the packages of the tests.
  /// - Throws: Foundation's error if the program cannot be run, or prints no text.
  public static func run(_ program: String, _ arguments: [String]) throws -> (output: String, code: Int32) {
    let folder = try TemporaryFolder()
    let output = folder.file("output")
    #expect(FileManager.default.createFile(atPath: output, contents: nil))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/\(program)")
    process.arguments = arguments
    process.environment = ["PYTHONPATH": Checkout.file(".build/python"), "PYTHONIOENCODING": "utf-8"]
    let handle = try FileHandle(forWritingTo: URL(filePath: output))
    (process.standardOutput, process.standardError) = (handle, handle)
    try process.run()
    process.waitUntilExit()
    return (try String(contentsOfFile: output, encoding: .utf8), process.terminationStatus)
  }

  /// Runs a script, and returns the lines that it prints.
  /// - Throws: what `run` throws.
  public static func lines(_ program: String, _ script: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let (output, code) = try run(program, [try folder.write(script, to: "script")])
    #expect(code == 0, "\(output)")
    return output.split(separator: "\n").map(String.init)
  }
}
