import Chance
import Checkout
import Foundation
import JSON5
import Presets
import SessionModel
import TemporaryFolders
import Testing

@Suite("The schema refuses what the reader refuses for its shape, and nothing else")
struct SchemaTests {
  @Test("Three hundred mutated documents")
  func mutants() throws { try SchemaPeer().compare(count: 300, seed: FuzzBudget.seed(16)) }
}

@Suite(.enabled(if: Soak.isRunning))
struct SchemaSoakTests {
  @Test("The schema and the reader agree on ten thousand mutated documents")
  func mutants() throws { try SchemaPeer().compare(count: 10_000, seed: FuzzBudget.seed(17)) }
}

/// Compares the reader with the schema, as Debian's python3-jsonschema applies it.
private struct SchemaPeer {
  /// Validates a list of documents; prints a line for each: the first mistake, or nothing.
  ///
  /// JSON Schema takes the regular expressions of ECMA-262, in which `$` means the end, and not also a line break before the end.
  private static let validator = """
    import json, re, sys
    from jsonschema import Draft7Validator, ValidationError
    from jsonschema.validators import extend
    def pattern(validator, pattern, instance, schema):
        if isinstance(instance, str) and not re.search(pattern.replace("$", r"\\Z"), instance):
            yield ValidationError(f"{instance!r} does not match {pattern!r}")
    with open(sys.argv[1]) as file: schema = json.load(file)
    with open(sys.argv[2]) as file: documents = json.load(file)
    Draft7Validator.check_schema(schema)
    validator = extend(Draft7Validator, {"pattern": pattern})(schema)
    for document in documents:
        print(next((error.message[:300].replace("\\n", " ") for error in validator.iter_errors(document)), ""))
    """

  /// The first mistake of each document for the schema; nil for one that it accepts.
  private func mistakes(_ documents: [JSONValue]) throws -> [String?] {
    let folder = try TemporaryFolder()
    let (file, output) = (folder.file("documents.json"), folder.file("mistakes"))
    try Data(JSONValue.array(documents).text.utf8).write(to: URL(fileURLWithPath: file))
    #expect(FileManager.default.createFile(atPath: output, contents: nil))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", Self.validator, Checkout.file("presets/schema/preset.json"), file]
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.dropLast().map { $0.isEmpty ? nil : String($0) }
  }

  private let library = PresetLibrary(folders: [Checkout.file("presets")])

  /// The problems of a document itself, without those of documents that it extends.
  private func problems(_ document: JSONValue) -> [Problem] {
    let source = PresetSource(id: "mutant", file: "mutant.json", bytes: Array(document.text.utf8))
    let (_, problems) = PresetReader.withLaw.read(source) { id throws(PresetLibraryError) in
      try library.find(id.name)
    }
    return problems.filter { $0.file == source.file }
  }

  private static func shipped() throws -> [JSONValue] {
    try Checkout.names(in: "presets", ending: ".json").map { name in
      let root = JSON5Reader.read(try Checkout.text("presets/\(name)"), file: name).value
      return try #require(root.flatMap { JSONValue($0) })
    }
  }

  /// Mutates the shipped presets and a document with every key.
  func compare(count: Int, seed: UInt64) throws {
    print("mutated presets: seed \(seed), count \(count)")
    let originals = try Self.shipped() + [EveryKey.document, EveryKey.effects]
    var mutation = Mutation(seed: seed, of: originals)
    let documents = originals + (0..<count).map { mutation.mutate(originals[$0 % originals.count]) }
    let mistakes = try mistakes(documents)
    try #require(mistakes.count == documents.count)
    var (refused, differing) = (0, 0)
    for (document, mistake) in zip(documents, mistakes) {
      let problems = problems(document)
      #expect(!problems.contains { $0.aspect == .syntax }, "\(problems)")
      let ill = problems.first { $0.aspect == .shape }
      if mistake != nil { refused += 1 }
      guard (mistake == nil) != (ill == nil) else { continue }
      differing += 1
      guard differing <= 20 else { continue }
      Issue.record(
        "reader: \(ill?.description ?? "right"); schema: \(mistake ?? "right"); \(document.text.prefix(1_500))"
      )
    }
    #expect(differing == 0)
    #expect(mistakes.prefix(originals.count).allSatisfy { $0 == nil }, "\(mistakes.prefix(originals.count))")
    // Both kinds occur often.
    #expect(refused > count / 4 && refused < count * 3 / 4, "\(refused) of \(documents.count)")
  }
}
