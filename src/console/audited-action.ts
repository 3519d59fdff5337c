import type { Logger } from 'pino'
import { InvalidInput, Problem } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { setAuditOutcome, writeAuditEntry } from '../storage/operators/audit-log.ts'
import type { ConsolePage, ConsoleRequest, RedirectResponse } from './console-page.ts'

export interface AuditedAction {
  path: string
  /** As the audit log names it: `webhook.disable`. */
  action: string
  /** To what, for the audit log: short and without secrets. */
  target(visit: ConsoleRequest): Readonly<Record<string, unknown>>
  /** Where it leads when it fails; where it was asked for. */
  back(visit: ConsoleRequest): string
  /** A Problem that it throws is told to who asked; of anything else only the log says more. */
  act(visit: ConsoleRequest): Promise<RedirectResponse>
}

export interface AuditedActionParts {
  db: Database
  logger: Logger
  now: () => number
}

/** Of one value in the audit log. */
const LONGEST = 200

/**
 * A POST of an operator's. Its entry in the audit log is written before it is done, as failed, and set to done after: nothing is done that
 * the log does not have, also when the process ends in between.
 */
export function createAuditedAction(
  { db, logger, now }: AuditedActionParts,
  { path, action, target, back, act }: AuditedAction,
): ConsolePage {
  const write = (visit: ConsoleRequest, outcome: 'failed' | 'refused') => {
    const { operator, address } = visit
    const entry = {
      operator: operator.name,
      role: operator.role,
      action,
      target: brief(target(visit)),
      outcome,
      address,
    }
    return writeAuditEntry(db, entry, now())
  }

  /** It was done, and whoever asked is told so. */
  const unsettled = (err: unknown, action: string, entry: string) =>
    logger.error({ err, action, entry }, 'an action of an operator was done, and the audit log says that it failed')

  return {
    method: 'POST',
    path,
    role: 'operator',
    async answer(visit) {
      const entryId = await write(visit, 'failed')
      const sent = await act(visit).catch((error: unknown): RedirectResponse => {
        const notice = saidOf(error)
        if (notice === null) logger.error({ err: error, action, entry: entryId }, 'an action of an operator failed')
        return { redirect: back(visit), notice: notice ?? `It failed; the log says why (${entryId}).`, failed: true }
      })
      if (!sent.failed) await setAuditOutcome(db, entryId, 'done').catch((err) => unsettled(err, action, entryId))
      return sent
    },
    async refused(visit) {
      await write(visit, 'refused')
    },
  }
}

function saidOf(error: unknown): string | null {
  if (error instanceof Problem && error.status < 500) return error.detail
  return error instanceof InvalidInput ? error.detail.map(({ msg }) => msg).join('; ') : null
}

function brief(target: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(target).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, LONGEST) : value]),
  )
}
