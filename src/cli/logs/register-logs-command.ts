import type { Command } from 'commander'
import { createLazyAction } from '../lazy-action.ts'
import { addConfigOption, addExample, addTimeZoneOption } from '../shared-options.ts'

/** Declares `forecourt logs`. */
export function registerLogsCommand(program: Command): void {
  const logs = addConfigOption(program.command('logs'))
    .description('print the log file that the configuration names')
    .option('-f, --follow', 'print the last lines, then new lines until Ctrl-C')
    .option('--request <id>', 'only the lines of this request')
    .option('--level <level>', 'only this level and those above: trace, debug, info, warn, error or fatal')
    .option('--lines <count>', 'only the last lines that match (default: all; 10 with --follow)')
    .option('--pretty', 'print text for people instead of JSON')
  addTimeZoneOption(logs).action(createLazyAction(() => import('./logs-command.ts'), 'runLogs'))
  addExample(logs, 'logs --follow --level warn --pretty', 'logs --request <request id>')
}
