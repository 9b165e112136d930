import Effects
import Plugins
import SystemCalls

/// Writes a sentence to standard error and ends.
func fail(_ text: String, _ code: Int32) -> Never {
  _ = try? System.write(System.standardError, Array((text + "\n").utf8))
  System.exit(code)
}

let usage = """
  multiroute-effects runs LV2 plugins for multiroute, which starts it:
    multiroute-effects list [--no-cache]       all plugins, as JSON
    multiroute-effects describe RATE URI...    some plugins with their controls, as JSON
    multiroute-effects run RATE FRAMES PRIORITY
  """

/// Gives standard input and output, where the router put the memory and its socket, to nobody: plugins may read and print.
func takeStreams() throws(SystemError) -> (memory: Int32, router: Int32) {
  let taken = (try System.dup(System.standardInput), try System.dup(System.standardOutput))
  let nowhere = try System.open("/dev/null", .readWrite)
  try System.dup2(nowhere, as: System.standardInput)
  try System.dup2(System.standardError, as: System.standardOutput)
  System.close(nowhere)
  // What the router does not read in time is lost, and no plugin waits for it.
  try System.setNonblocking(System.standardError)
  return taken
}

let words = Array(CommandLine.arguments.dropFirst())
do {
  switch (words.first, words.count) {
  case ("list", 1), ("list", 2):
    guard words.count == 1 || words[1] == "--no-cache" else { fail(usage, 64) }
    let caches = words.count == 1 ? PluginCatalog.usualCaches : nil
    try System.writeAll(System.standardOutput, try PluginCatalog.list(caches: caches))
  case ("describe", 3...):
    guard let rate = Double(words[1]), (8_000...768_000).contains(rate) else { fail(usage, 64) }
    let described = try PluginCatalog.describe(
      Array(words.dropFirst(2)), rate: rate, caches: PluginCatalog.usualCaches)
    try System.writeAll(System.standardOutput, described.line)
  case ("run", 4):
    guard let rate = Double(words[1]), let frames = Int(words[2]), let priority = Int32(words[3]) else {
      fail(usage, 64)
    }
    let (memory, router) = try takeStreams()
    try EffectsProgram.run(
      EffectsProgram.Settings(rate: rate, frames: frames, priority: priority), memory: memory, router: router)
  default: fail(usage, 64)
  }
} catch {
  fail("\(error)", 69)
}
