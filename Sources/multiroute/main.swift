import Commands
import Glibc

// Named functions, no closures: at the top level they would belong to the main actor.
let program = Program(
  Program.Runners(run: RunCommand.perform, demo: DemoCommand.perform, render: RenderCommand.perform))
exit(program.execute(Array(CommandLine.arguments.dropFirst())).rawValue)
