import type { Command } from 'commander'
import { forecourtCommand, quoteForShell } from '../../installed-command-line.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addStoreOptions, addTimeZoneOption } from '../shared-options.ts'

/** Declares `forecourt why`. */
export function registerWhyCommand(program: Command): void {
  const why = addStoreOptions(program.command('why'))
    .argument(
      '<request id>',
      'the id in X-Request-Id or request_id, in any letter case; in quotes if it contains spaces',
    )
    .description('print why a request was degraded, slow or refused, as its operations page does')
    .configureOutput({ outputError: (text, write) => write(text + hintAtDash(text)) })
  addTimeZoneOption(why).action(createLazyAction(() => import('./why-command.ts'), 'runWhy'))
  addExample(why, 'why V9U773THGM-3d9')
}

/** Clients choose ids of their own, which may begin like an option. */
function hintAtDash(error: string): string {
  const id = /unknown option '(-[^-'][^']*)'/.exec(error)?.[1]
  return id ? `If this is the id of a request, write: ${forecourtCommand} why -- ${quoteForShell(id)}\n` : ''
}
