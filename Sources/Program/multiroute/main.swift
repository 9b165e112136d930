import Commands
import EffectsHost
import SystemCalls

System.openStandardDescriptors()

// Named functions, no closures: at the top level they would belong to the main actor.
let program = Program(
  Program.Runners(
    run: RunCommand.perform, demo: DemoCommand.perform, render: RenderCommand.perform,
    graph: LiveGraph.read, equipment: LiveGraph.equipment, server: LiveGraph.server,
    effects: InstalledEffects.usualProgram))
System.exit(program.execute(Array(CommandLine.arguments.dropFirst())).rawValue)
