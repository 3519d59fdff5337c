import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { TrytonId } from '../client/tryton-values.ts'
import type { ExaminationContext } from './examination-context.ts'

const Preferences = responseSchema(
  Type.Object({
    company: Type.Optional(Type.Union([TrytonId, Type.Null()])),
    companies: Type.Optional(Type.Array(TrytonId)),
    groups: Type.Array(TrytonId),
  }),
)

const SLOW_UNKNOWN_DATABASE_SERIES = 8.0

/** The account that the adapter logs in with. */
export interface LoginAccount {
  groups: number[]
  companies: number[]
}

/** Logs in once: Tryton delays, and finally locks, an account whose password fails repeatedly. */
export async function checkLogin(context: ExaminationContext): Promise<LoginAccount | DoctorFinding> {
  try {
    // The first parameter requests all preferences, not only those of the context.
    const { company, companies, groups } = await context.rpc(
      Preferences,
      'res.user.get_preferences',
      [false],
      context.call(),
    )
    return { groups, companies: companies ?? (company ? [company] : []) }
  } catch (error) {
    const finding = error instanceof UpstreamError ? toLoginFinding(error, context) : null
    if (finding === null) throw error
    return finding
  }
}

/** Maps a rejected login. Tryton does not say whether the user, the password or the state of the account is the cause. */
function toLoginFinding(
  { failure, message }: UpstreamError,
  { settings, series }: ExaminationContext,
): DoctorFinding | null {
  // With PostgreSQL's newer driver, Tryton tries for 30 seconds to connect to a database that does not exist.
  if (failure === 'timeout' && series >= SLOW_UNKNOWN_DATABASE_SERIES)
    return createFinding(
      'error',
      'database',
      `the login takes too long, which it does if there is no database "${settings.database}" on that server`,
      'Set {path}.database to the name of the database that Tryton is started with. If it is correct, find out why Tryton is slow',
      { blocks: true },
    )
  if (!message.startsWith('common.db.login')) return null
  if (failure === 'rate_limited')
    return createFinding(
      'error',
      'login_locked',
      `Tryton has locked the login of ${settings.user} for a while after too many wrong passwords`,
      'Stop the client that logs in with a wrong password, correct {path}.password, and wait five minutes',
      { blocks: true },
    )
  if (/responded 404/.test(message))
    return createFinding(
      'error',
      'database',
      `there is no database "${settings.database}" on that server`,
      'Set {path}.database to the name of the database that Tryton is started with',
      { blocks: true },
    )
  if (failure !== 'unauthorized' && failure !== 'rejected') return null
  return createFinding(
    'error',
    'login',
    `Tryton rejects the login of ${settings.user}`,
    'Correct {path}.user and {path}.password, and check that the account is active in Tryton (Administration > Users)',
    { blocks: true },
  )
}
