import type { Command } from 'commander'
import { suggestName } from '../config/suggest-name.ts'

/** Gives a command and its groups a `help` that knows all levels, and says when there is no such command. Call it when all are declared. */
export function registerHelpCommands(command: Command): void {
  for (const subcommand of command.commands) if (subcommand.commands.length > 0) registerHelpCommands(subcommand)
  command.helpCommand(false)
  command
    .command('help')
    .argument('[command...]')
    .usage('[command]')
    .description('display help for command')
    .action((names: string[]) => names.reduce(requireSubcommand, command).help())
}

/** Ends the program with the error of an unknown command, as commander words it. */
export function failForUnknownCommand(command: Command, name: string): never {
  const suggestion = suggestName(
    name,
    command.commands.map((known) => known.name()),
  )
  command.error(`error: unknown command '${name}'${suggestion ? `\n(${suggestion})` : ''}`)
}

const requireSubcommand = (command: Command, name: string): Command =>
  command.commands.find((known) => known.name() === name) ?? failForUnknownCommand(command, name)
