import type { Logger } from 'pino'
import { InvalidInput, Problem } from '../errors.ts'
import type { Database } from '../storage/database.ts'
import { setAuditOutcome, writeAuditEntry } from '../storage/operators/audit-log.ts'
import type { ConsolePage, ConsoleRequest, RedirectResponse } from './console-page.ts'

export interface AuditedAction {
  path: string
  /** The name in the audit log: `webhook.disable`. */
  action: string
  /** Returns what the action changes, for the audit log: short and without secrets. */
  readTarget(request: ConsoleRequest): Readonly<Record<string, unknown>>
  /** Returns the page to redirect to when the action fails. */
  failurePath(request: ConsoleRequest): string
  /** The detail of a Problem below 500 that it throws is shown to the operator. Other errors are only logged. */
  run(request: ConsoleRequest): Promise<RedirectResponse>
}

export interface AuditedActionParts {
  db: Database
  logger: Logger
  now: () => number
}

const MAX_TARGET_VALUE_LENGTH = 200

/**
 * Returns the page of an operator's POST. Its audit entry is written as failed before the action runs, and set to done afterwards: no
 * action is missing from the log, even if the process ends in between.
 */
export function createAuditedAction(
  { db, logger, now }: AuditedActionParts,
  { path, action, readTarget, failurePath, run }: AuditedAction,
): ConsolePage {
  const writeEntry = (request: ConsoleRequest, outcome: 'failed' | 'refused') => {
    const { operator, address } = request
    const target = truncateValues(readTarget(request))
    return writeAuditEntry(
      db,
      { operator: operator.name, role: operator.role, action, target, outcome, address },
      now(),
    )
  }

  const toFailure = (error: unknown, request: ConsoleRequest, entryId: string): RedirectResponse => {
    const detail = readPublicDetail(error)
    if (detail === null) logger.error({ err: error, action, entry: entryId }, 'an operator action failed')
    const message = detail ?? `The action failed. Details are in the log under ${entryId}.`
    return { redirect: failurePath(request), message, isFailure: true }
  }

  return {
    method: 'POST',
    path,
    role: 'operator',
    async respond(request) {
      const entryId = await writeEntry(request, 'failed')
      const response = await run(request).catch((error: unknown) => toFailure(error, request, entryId))
      if (!response.isFailure)
        await setAuditOutcome(db, entryId, 'done').catch((err) =>
          logger.error({ err, action, entry: entryId }, 'an operator action was done, but its audit entry says failed'),
        )
      return response
    },
    async onRefused(request) {
      await writeEntry(request, 'refused')
    },
  }
}

/** Returns the text of an error that may be shown, or `null`. */
function readPublicDetail(error: unknown): string | null {
  if (error instanceof Problem && error.status < 500) return error.detail
  return error instanceof InvalidInput ? error.detail.map(({ msg }) => msg).join('; ') : null
}

function truncateValues(target: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(target).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.slice(0, MAX_TARGET_VALUE_LENGTH) : value,
    ]),
  )
}
