import type { Command } from 'commander'
import { suggestName } from '../config/suggest-name.ts'

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
