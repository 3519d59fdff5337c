import type { Logger } from 'pino'
import { takeSignInAttempt } from '../../commands/account-attempt-limits.ts'
import type { ActionThrottle } from '../../commands/action-throttle.ts'
import type { PasswordHasher } from '../../commands/password-hasher.ts'
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
  /** The token that the browser stored at an earlier sign-in. */
  deviceToken: string | undefined
}

export interface OperatorSignInResult {
  sessionToken: string
  /** The token that the browser stores for later sign-ins. */
  deviceToken: string
}

/** Operators' attempts are counted apart from shoppers' attempts: no merchant id contains a space. */
const tenant = { merchant: 'operations pages', mode: 'live' } as const
const KNOWN_BROWSER = 'known browser'

/**
 * Returns the tokens of a new session, or `null` for every failure alike, after the same work. Throws Problem `rate_limited` when a name or
 * an address had too many attempts. Attempts at existing accounts are in the audit log.
 */
export async function signInOperator(
  parts: OperatorSignInParts,
  attempt: OperatorSignInAttempt,
): Promise<OperatorSignInResult | null> {
  const { db, passwords, throttle } = parts
  const record = await findOperator(db, attempt.name)
  const isKnownBrowser = record !== null && isDeviceTokenValid(attempt.deviceToken, record)
  const client = {
    address: toCountedAddress(attempt.address),
    deviceId: isKnownBrowser ? KNOWN_BROWSER : null,
    isKnownAddress: false,
  }
  // Existing and unknown names share the places of unknown browsers, so a refusal does not reveal whether a name exists.
  const group = isKnownBrowser ? KNOWN_BROWSER : 'unknown browser'
  passwords.requireCapacity(group)
  const counted = await takeSignInAttempt(throttle, { tenant, account: attempt.name, client })
  const enabledRecord = record?.disabled_at === null ? record : null
  const hash = enabledRecord?.password_hash ?? null
  const isPasswordCorrect = await passwords.matches(attempt.password, hash, group)
  const sessionToken =
    enabledRecord && isPasswordCorrect ? await openSession(parts, enabledRecord, attempt.address) : null
  if (!enabledRecord || sessionToken === null) {
    recordRefusal(parts, record, attempt.address)
    return null
  }
  await counted.succeed()
  return { sessionToken, deviceToken: createDeviceToken(enabledRecord) }
}

const loopback = /^(?:::ffff:)?127(?:\.\d+){3}$|^::1$/

/** Returns `null` for loopback addresses: operators behind an SSH tunnel share them, and one must not lock out the others. */
const toCountedAddress = (address: string | null) => (address !== null && loopback.test(address) ? null : address)

/** Returns `null` if the password changed or the account was disabled during the password comparison. */
function openSession(
  { db, now }: OperatorSignInParts,
  { operator_id, password_hash }: OperatorRecord,
  address: string | null,
) {
  return transact(db, async (transaction) => {
    const current = await lockOperator(transaction, operator_id)
    if (current?.disabled_at !== null || current.password_hash !== password_hash) return null
    await recordOperatorSignIn(transaction, operator_id, new Date(now()).toISOString())
    await writeAuditEntry(transaction, toAuditEntry(current, address, 'done'), now())
    return createOperatorSession(transaction, operator_id, now())
  })
}

/** Writes the audit entry after the response, so that the response time does not reveal which names exist. */
function recordRefusal(
  { db, logger, now }: OperatorSignInParts,
  record: OperatorRecord | null,
  address: string | null,
): void {
  logger.warn({ operator: record?.name ?? null, address }, 'an operator sign-in was refused')
  if (!record) return
  const at = now()
  setImmediate(() => {
    writeAuditEntry(db, toAuditEntry(record, address, 'refused'), at).catch((err) =>
      logger.error({ err, operator: record.name }, 'a refused operator sign-in could not be written to the audit log'),
    )
  })
}

const toAuditEntry = ({ name, role }: OperatorRecord, address: string | null, outcome: 'done' | 'refused') => ({
  operator: name,
  role,
  address,
  outcome,
  action: 'sign-in',
  target: {},
})

const signInFailures: Readonly<Record<string, string>> = {
  rate_limited: 'Too many attempts. Try again in a few minutes.',
  store_unavailable:
    'Forecourt’s database is unavailable, so the password could not be checked. Try again when it is back.',
}

/** Returns the response to a refused sign-in. `null` stands for a wrong name or password. */
export function describeSignInFailure(problem: Problem | null): {
  status: number
  message: string
  headers: Readonly<Record<string, string>>
} {
  if (problem === null) return { status: 401, message: 'The name or the password is incorrect.', headers: {} }
  const message = signInFailures[problem.code] ?? 'Too many sign-ins are in progress. Try again shortly.'
  return { status: problem.status, message, headers: problem.headers as Record<string, string> }
}
