import Foundation

/// Whether a process runs. A process that has ended without being waited for does not.
public func isAlive(_ process: Int32) -> Bool {
  let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
  return status.map { !$0.contains(") Z ") } ?? false
}
