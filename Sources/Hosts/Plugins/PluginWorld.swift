import CLilv
import SystemCalls

/// The plugins that are installed, as liblilv finds them: in the folders of LV2_PATH, or in the usual ones.
///
/// For one thread. Only this type and those in files `Plugin…` beside it call the library.
final class PluginWorld {
  let calls: mr_lilv
  let world: OpaquePointer
  private var nodes: [String: OpaquePointer] = [:]

  private static let library = DynamicLibrary.functions(mr_lilv(), mr_lilv_names(), of: .effects)

  /// Reads the manifests of all bundles.
  ///
  /// - Throws: `PluginError` if the library is missing.
  init() throws(PluginError) {
    do throws(DynamicLibrary.Missing) { calls = try Self.library.get() } catch {
      throw .missingLibrary(error)
    }
    guard let world = calls.lilv_world_new() else { throw .badWorld }
    self.world = world
    calls.lilv_world_load_all(world)
  }

  deinit {
    for node in nodes.values { calls.lilv_node_free(node) }
    calls.lilv_world_free(world)
  }

  /// The node of a URI, which lives as long as the world.
  func node(_ uri: String) -> OpaquePointer {
    if let node = nodes[uri] { return node }
    guard let node = calls.lilv_new_uri(world, uri) else { preconditionFailure("\(uri) is no URI") }
    nodes[uri] = node
    return node
  }

  /// The plugin of a URI.
  ///
  /// - Throws: `PluginError` if it is not installed.
  func plugin(_ uri: String) throws(PluginError) -> OpaquePointer {
    // What is no URI would make the library complain.
    guard uri.contains(":"), let node = calls.lilv_new_uri(world, uri) else { throw .notInstalled(uri) }
    defer { calls.lilv_node_free(node) }
    let all = calls.lilv_world_get_all_plugins(world)
    guard let plugin = calls.lilv_plugins_get_by_uri(all, node) else { throw .notInstalled(uri) }
    return plugin
  }

  /// All plugins.
  var plugins: [OpaquePointer] {
    let all = calls.lilv_world_get_all_plugins(world)
    var plugins: [OpaquePointer] = []
    var place = calls.lilv_plugins_begin(all)
    while !calls.lilv_plugins_is_end(all, place) {
      if let plugin = calls.lilv_plugins_get(all, place) { plugins.append(plugin) }
      place = calls.lilv_plugins_next(all, place)
    }
    return plugins
  }

  // MARK: Nodes

  /// A node's text, and nothing for none.
  func text(_ node: OpaquePointer?) -> String? {
    node.flatMap { calls.lilv_node_as_string($0) }.map { String(cString: $0) }
  }

  /// The text of a node that the caller owns, and frees the node.
  func take(_ node: OpaquePointer?) -> String? {
    defer { if let node { calls.lilv_node_free(node) } }
    return text(node)
  }

  /// A node's number; nil if it is none.
  func number(_ node: OpaquePointer?) -> Float? {
    guard let node, calls.lilv_node_is_float(node) || calls.lilv_node_is_int(node) else { return nil }
    let number = calls.lilv_node_as_float(node)
    return number.isFinite ? number : nil
  }

  /// The texts of a collection that the caller owns, and frees the collection.
  func takeAll(_ nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes else { return [] }
    defer { calls.lilv_nodes_free(nodes) }
    var texts: [String] = []
    var place = calls.lilv_nodes_begin(nodes)
    while !calls.lilv_nodes_is_end(nodes, place) {
      if let text = text(calls.lilv_nodes_get(nodes, place)) { texts.append(text) }
      place = calls.lilv_nodes_next(nodes, place)
    }
    return texts
  }

  /// The path of a file's URI; nil if it is no file's.
  func path(_ uri: OpaquePointer?) -> String? {
    guard let uri, let text = calls.lilv_node_as_uri(uri), let path = calls.lilv_file_uri_parse(text, nil)
    else { return nil }
    defer { calls.lilv_free(path) }
    return String(cString: path)
  }
}
