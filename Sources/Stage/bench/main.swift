import Glibc

exit(Bench.perform(Array(CommandLine.arguments.dropFirst())))
