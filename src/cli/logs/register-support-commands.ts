import { type Command, Option } from 'commander'
import { forecourtCommand, quoteForShell } from '../../forecourt-command.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addConfigOption, addExample, addStoreOptions } from '../shared-options.ts'

/** Declares `forecourt why` and `forecourt logs`. */
export function registerSupportCommands(program: Command): void {
  const why = addStoreOptions(program.command('why'))
    .argument('<request id>', 'the id in X-Request-Id or request_id, in any letter case; with spaces in quotes')
    .description('print why a request was degraded, slow or refused, as its operations page does')
    .addOption(createTimeZoneOption())
    .configureOutput({ outputError: (text, write) => write(text + hintAtDash(text)) })
    .action(createLazyAction(() => import('../why/why-command.ts'), 'runWhy'))
  addExample(why, 'why req_01JEXAMPLE')

  const logs = addConfigOption(program.command('logs'))
    .description('print the log file that the configuration names')
    .option('-f, --follow', 'print the last lines, then new lines until Ctrl-C')
    .option('--request <id>', 'only the lines of this request')
    .option('--level <level>', 'only this level and those above: trace, debug, info, warn, error or fatal')
    .option('--lines <count>', 'only the last lines that match (default: all; 10 with --follow)')
    .option('--pretty', 'print text for people instead of JSON')
    .addOption(createTimeZoneOption())
    .action(createLazyAction(() => import('./logs-command.ts'), 'runLogs'))
  addExample(logs, 'logs --follow --level warn --pretty', 'logs --request <request id>')
}

const createTimeZoneOption = () =>
  new Option('--time-zone <zone>', 'the time zone of all times (default: that of the merchant)')

/** Clients choose ids of their own, which may begin like an option. */
function hintAtDash(error: string): string {
  const id = /unknown option '(-[^-'][^']*)'/.exec(error)?.[1]
  return id ? `If this is the id of a request, write: ${forecourtCommand} why -- ${quoteForShell(id)}\n` : ''
}
