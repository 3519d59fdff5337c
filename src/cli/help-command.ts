import type { Command } from 'commander'
import { suggestName } from '../config/suggest-name.ts'

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

/** Ends the program with the error of an unknown command or option, as commander words it. */
export function failForUnknownWord(command: Command, word: string): never {
  const isOption = word.startsWith('-')
  const known = isOption
    ? command
        .createHelp()
        .visibleOptions(command)
        .map(({ long }) => long ?? '')
    : command.commands.map((subcommand) => subcommand.name())
  const suggestion = suggestName(word, known)
  command.error(`error: unknown ${isOption ? 'option' : 'command'} '${word}'${suggestion ? `\n(${suggestion})` : ''}`)
}

const requireSubcommand = (command: Command, name: string): Command =>
  command.commands.find((known) => known.name() === name) ?? failForUnknownWord(command, name)
