import type { Logger } from 'pino'
import type { ActionThrottle } from '../../commands/action-throttle.ts'
import type { PasswordHasher } from '../../commands/command-context.ts'
import type { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { writeAuditEntry } from '../../storage/operators/audit-log.ts'
import {
  findOperator,
  lockOperator,
  type OperatorRecord,
  recordOperatorSignIn,
} from '../../storage/operators/operator-accounts.ts'
import { transact } from '../../storage/transact.ts'
import { createDeviceToken, isDeviceTokenValid } from './device-cookie.ts'
import { createOperatorSession } from './operator-session.ts'

export interface OperatorSignInParts {
  db: Database
  passwords: PasswordHasher
  throttle: ActionThrottle
  logger: Logger
  now: () => number
}

export interface OperatorSignInAttempt {
  name: string
  password: string
  address: string | null
  /** What a browser where they signed in before has kept. */
  mark: string | undefined
}

export interface OperatorSignInResult {
  token: string
  /** For the browser to keep. */
  mark: string
}

/** Tries are counted apart from shoppers', and those of strangers apart from those at a browser that is known. */
const strangers = { tenant_id: 'operations', mode: 'live' } as const
const known = { tenant_id: 'operations at a known browser', mode: 'live' } as const

/**
 * Gives the token of a new session; `null` for every failure alike, after the same work. Throws Problem `rate_limited` when a name or an
 * address was tried too often. What is tried at an account is in the audit log.
 */
export async function signInOperator(
  parts: OperatorSignInParts,
  tried: OperatorSignInAttempt,
): Promise<OperatorSignInResult | null> {
  const { db, passwords, throttle } = parts
  const record = await findOperator(db, tried.name)
  const tries =
    record && isDeviceTokenValid(tried.mark, record) ? triesAtHome(throttle, tried) : triesOf(throttle, tried)
  await tries.take()
  const usable = record?.disabled_at === null ? record : null
  const right = await passwords.matches(tried.password, usable?.password_hash ?? null)
  const token = usable && right ? await opened(parts, usable, tried.address) : null
  if (!usable || token === null) {
    noteRefused(parts, record, tried.address)
    return null
  }
  await tries.giveBack()
  return { token, mark: createDeviceToken(usable) }
}

const triesOf = (throttle: ActionThrottle, { name, address }: OperatorSignInAttempt) => ({
  async take() {
    await throttle.take('loginsFrom', strangers, counted(address))
    await throttle.take('logins', strangers, name)
  },
  async giveBack() {
    await throttle.forget('logins', strangers, name)
    await throttle.giveBack('loginsFrom', strangers, counted(address))
  },
})

const loopback = /^(?:::ffff:)?127(?:\.\d+){3}$|^::1$/

/** `null`: it is everybody's who comes through SSH, and nobody may lock out the others by wrong tries there. */
const counted = (address: string | null) => (address !== null && loopback.test(address) ? null : address)

const triesAtHome = (throttle: ActionThrottle, { name }: OperatorSignInAttempt) => ({
  take: () => throttle.take('logins', known, name),
  giveBack: () => throttle.forget('logins', known, name),
})

/** `null`: while the password was being compared, it was changed or the account was disabled. */
function opened(
  { db, now }: OperatorSignInParts,
  { operator_id, password_hash }: OperatorRecord,
  address: string | null,
) {
  return transact(db, async (transaction) => {
    const held = await lockOperator(transaction, operator_id)
    if (held?.disabled_at !== null || held.password_hash !== password_hash) return null
    await recordOperatorSignIn(transaction, operator_id, new Date(now()).toISOString())
    await writeAuditEntry(transaction, entryOf(held, address, 'done'), now())
    return createOperatorSession(transaction, operator_id, now())
  })
}

/** In the audit log once it is answered: how long that takes must not tell which names there are. */
function noteRefused(
  { db, logger, now }: OperatorSignInParts,
  record: OperatorRecord | null,
  address: string | null,
): void {
  logger.warn({ operator: record?.name ?? null, address }, 'a sign-in to the operations pages was refused')
  if (!record) return
  const at = now()
  setImmediate(() => {
    writeAuditEntry(db, entryOf(record, address, 'refused'), at).catch((err) =>
      logger.error({ err, operator: record.name }, 'a refused sign-in is not in the audit log'),
    )
  })
}

const entryOf = ({ name, role }: OperatorRecord, address: string | null, outcome: 'done' | 'refused') => ({
  ...{ operator: name, role, address, outcome, action: 'sign-in', target: {} },
})

/** What somebody who was refused is told; `null`: what they gave is not right. */
export function describeSignInFailure(refused: Problem | null): {
  status: number
  mistake: string
  headers: Readonly<Record<string, string>>
} {
  if (refused === null) return { status: 401, mistake: 'The name or the password is not right.', headers: {} }
  const tooMany = refused.code === 'rate_limited'
  const mistake = tooMany ? 'Too many tries. Try again in some minutes.' : 'Too much is going on. Try again shortly.'
  return { status: refused.status, mistake, headers: refused.headers as Record<string, string> }
}
