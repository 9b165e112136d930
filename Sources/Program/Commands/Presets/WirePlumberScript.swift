import Presets
import SessionModel

/// A script for WirePlumber, PipeWire's session manager, that keeps it from connecting the programs of a preset.
///
/// WirePlumber 0.4 has rules for devices alone, and those of 0.5 do not reach the property `node.autoconnect` of a program's node. So the script takes
/// each such program from the session manager: 0.4 by the removal of its session item, 0.5 by an item that the session manager does not register.
/// Programs of PulseAudio stay with it: PipeWire's server of PulseAudio answers one only when the session manager has linked its stream.
struct WirePlumberScript {
  private let preset: Preset

  init(_ preset: Preset) { self.preset = preset }

  var text: String {
    let file = "multiroute-\(preset.id).lua"
    return #"""
      -- Keeps WirePlumber from connecting the programs of the preset \#(preset.id): multiroute connects them.
      -- Programs of PulseAudio stay as they are.
      --
      -- WirePlumber 0.4: save this as ~/.config/wireplumber/scripts/\#(file) and write into
      -- ~/.config/wireplumber/main.lua.d/60-multiroute-\#(preset.id).lua:
      --     load_script("\#(file)")
      --
      -- WirePlumber 0.5: save this as ~/.local/share/wireplumber/scripts/\#(file) and write into
      -- ~/.config/wireplumber/wireplumber.conf.d/60-multiroute-\#(preset.id).conf:
      --     wireplumber.components = [ { name = \#(file), type = script/lua, provides = custom.multiroute } ]
      --     wireplumber.profiles = { main = { custom.multiroute = required } }
      --
      -- Then: systemctl --user restart wireplumber pipewire

      local programs = {
      \#(preset.programs.map { "  \(Self.table($0)),\n" }.joined())}

      -- JACK's name of a client has its application before it from PipeWire 1 on, if the two differ.
      local function matches(program, properties)
        for key, pattern in pairs(program) do
          local name, other = properties[key], nil
          if key == "client" then
            name = properties["node.description"] or properties["node.nick"] or properties["node.name"]
            other = (properties["application.name"] or "") .. "/" .. (name or "")
          end
          if not string.find(name or "", pattern) and not string.find(other or "", pattern) then return false end
        end
        return true
      end

      local function is_ours(properties)
        if not string.find(properties["media.class"] or "", "^Stream/") then return false end
        -- A program of PulseAudio waits until the session manager has linked its stream.
        if properties["pulse.server.type"] then return false end
        for _, program in ipairs(programs) do
          if matches(program, properties) then return true end
        end
        return false
      end

      if SimpleEventHook then
        local streams = { Constraint { "media.class", "#", "Stream/*", type = "pw-global" } }
        multiroute_items = {}
        SimpleEventHook {
          name = "multiroute/leave-alone",
          before = "node/create-item",
          interests = { EventInterest { Constraint { "event.type", "=", "node-added" }, table.unpack(streams) } },
          execute = function(event)
            local node = event:get_subject()
            local properties = node.properties
            if not is_ours(properties) then return end
            -- A session item gives the program its ports. Nothing connects them, because this one is never registered.
            properties["item.node"] = node
            properties["node.autoconnect"] = "false"
            local item = SessionItem("si-audio-adapter")
            item:configure(properties)
            item:activate(Features.ALL, function() end)
            multiroute_items[node.id] = item
            event:stop_processing()
          end,
        }:register()
        SimpleEventHook {
          name = "multiroute/forget",
          interests = { EventInterest { Constraint { "event.type", "=", "node-removed" }, table.unpack(streams) } },
          execute = function(event) multiroute_items[event:get_subject().id] = nil end,
        }:register()
      else
        multiroute_items = ObjectManager { Interest { type = "SiLinkable" } }
        multiroute_items:connect("object-added", function(_, item)
          local node = item:get_associated_proxy("node")
          -- Later, because other scripts are still being told of the item. The link that they make is removed before it carries sound.
          if node and is_ours(node.properties) then
            Core.idle_add(function()
              item:remove()
              return false
            end)
          end
        end)
        multiroute_items:activate()
      end

      """#
  }

  /// A program as a table of Lua: patterns by the names of properties.
  private static func table(_ program: ProgramPorts) -> String {
    var patterns = program.names.map { key, glob in ("\(key.property)", glob.text) }.sorted { $0.0 < $1.0 }
    if let ports = program.ports { patterns.insert(("client", clientPattern(ports.text)), at: 0) }
    return "{ \(patterns.map { "[\"\($0)\"] = \"\(luaPattern($1))\"" }.joined(separator: ", ")) }"
  }

  /// The part of a pattern for ports that the client's name must match.
  private static func clientPattern(_ ports: String) -> String {
    guard let colon = ports.firstIndex(of: ":") else { return ports }
    return String(ports[..<colon])
  }

  /// A glob as a pattern of Lua, for a text in double quotes.
  private static func luaPattern(_ glob: String) -> String {
    var (pattern, rest) = ("^", glob[...])
    while let character = rest.popFirst() {
      switch character {
      case "*": pattern += ".*"
      case "?": pattern += "."
      case "\\" where rest.first.map { "*?\\".contains($0) } == true: pattern += literal(rest.removeFirst())
      default: pattern += literal(character)
      }
    }
    return pattern + "$"
  }

  private static func literal(_ character: Character) -> String {
    switch character {
    case "\"": "\\\""
    case "\\": "\\\\"
    case _ where "^$()%.[]*+-?".contains(character): "%\(character)"
    default: "\(character)"
    }
  }
}

extension ProgramNames.Key {
  /// PipeWire's property.
  fileprivate var property: String {
    switch self {
    case .application: "application.name"
    case .media: "media.name"
    case .node: "node.name"
    }
  }
}
