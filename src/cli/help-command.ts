import type { Command } from 'commander'
import { failForUnknownWord } from './fail-for-unknown-word.ts'

/**
 * Adds a `help` command to a command and its groups. It finds commands of all levels, and reports unknown ones. The errors of all commands
 * then end with a usage line. Call it when all commands are declared.
 */
export function registerHelpCommands(command: Command): void {
  const usage = command.createHelp().commandUsage(command)
  command.showHelpAfterError(`Usage: ${usage}\n(run with --help for more)`)
  command.helpCommand(false)
  for (const subcommand of command.commands) registerHelpCommands(subcommand)
  if (command.commands.length === 0) return
  command
    .command('help')
    .argument('[command...]')
    .usage('[command]')
    .description('display help for command')
    .action((names: string[]) => names.reduce(requireSubcommand, command).help())
}

const requireSubcommand = (command: Command, name: string): Command =>
  command.commands.find((known) => known.name() === name) ?? failForUnknownWord(command, name)
