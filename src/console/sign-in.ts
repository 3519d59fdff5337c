import type { Logger } from 'pino'
import type { Passwords } from '../commands/commerce.ts'
import type { Throttle } from '../commands/throttle.ts'
import { Problem } from '../errors.ts'
import { writeAudit } from '../storage/audit.ts'
import type { Database } from '../storage/database.ts'
import { findOperator, holdOperator, noteSignIn, type OperatorRecord } from '../storage/operators.ts'
import { transact } from '../storage/transact.ts'
import { openSession } from './session.ts'

export interface SigningIn {
  db: Database
  passwords: Passwords
  throttle: Throttle
  logger: Logger
  now: () => number
}

export interface Tried {
  name: string
  password: string
  address: string | null
}

/** Tries are counted apart from shoppers'. */
const realm = { tenant_id: 'operations', mode: 'live' } as const

/**
 * Gives the token of a new session; `null` for every failure alike, after the same work. Throws Problem `rate_limited` when a name or an
 * address was tried too often. What is tried at an account is in the audit log.
 */
export async function signIn(parts: SigningIn, { name, password, address }: Tried): Promise<string | null> {
  const { db, passwords, throttle, logger, now } = parts
  await throttle.take('loginsFrom', realm, address)
  await throttle.take('logins', realm, name)
  const known = await findOperator(db, name)
  const usable = known?.disabled_at === null ? known : null
  const right = await passwords.matches(password, usable?.password_hash ?? null)
  const token = usable && right ? await opened(parts, usable, address) : null
  if (token === null) {
    logger.warn({ operator: known?.name ?? null, address }, 'a sign-in to the operations pages was refused')
    if (known) await writeAudit(db, entryOf(known, address, 'refused'), now())
    return null
  }
  await throttle.forget('logins', realm, name)
  await throttle.giveBack('loginsFrom', realm, address)
  return token
}

/** `null`: while the password was being compared, it was changed or the account was disabled. */
function opened({ db, now }: SigningIn, { operator_id, password_hash }: OperatorRecord, address: string | null) {
  return transact(db, async (transaction) => {
    const held = await holdOperator(transaction, operator_id)
    if (held?.disabled_at !== null || held.password_hash !== password_hash) return null
    await noteSignIn(transaction, operator_id, new Date(now()).toISOString())
    await writeAudit(transaction, entryOf(held, address, 'done'), now())
    return openSession(transaction, operator_id, now())
  })
}

const entryOf = ({ name, role }: OperatorRecord, address: string | null, outcome: 'done' | 'refused') => ({
  ...{ operator: name, role, address, outcome, action: 'sign-in', target: {} },
})

/** What somebody who was refused is told. */
export function saidOf(error: unknown): { status: number; mistake: string; headers: Readonly<Record<string, string>> } {
  if (error === null) return { status: 401, mistake: 'The name or the password is not right.', headers: {} }
  if (!(error instanceof Problem)) throw error
  const tooMany = error.code === 'rate_limited'
  const mistake = tooMany ? 'Too many tries. Try again in some minutes.' : 'Too much is going on. Try again shortly.'
  return { status: error.status, mistake, headers: error.headers as Record<string, string> }
}
