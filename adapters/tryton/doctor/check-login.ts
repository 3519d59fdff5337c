import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding } from './check.ts'

const Preferences = responseSchema(
  Type.Object({
    company: Type.Optional(Type.Union([TrytonId, Type.Null()])),
    companies: Type.Optional(Type.Array(TrytonId)),
    groups: Type.Array(TrytonId),
  }),
)

/** What Tryton says of the account that the adapter logs in with. */
export interface LoginAccount {
  groups: number[]
  companies: number[]
}

/** Logs in, once: Tryton slows down and at last locks out an account whose password fails again and again. */
export async function checkLogin(looker: CheckContext): Promise<LoginAccount | Finding> {
  try {
    // The first parameter asks for all of them, and not for the context's alone.
    const { company, companies, groups } = await looker.rpc(
      Preferences,
      'res.user.get_preferences',
      [false],
      looker.call(),
    )
    return { groups, companies: companies ?? (company ? [company] : []) }
  } catch (error) {
    const refused = error instanceof UpstreamError ? refusedLogin(error, looker) : null
    if (refused === null) throw error
    return refused
  }
}

/** The login is not told whether the name or the password is wrong, and an account that is deactivated is refused like them. */
function refusedLogin({ failure, message }: UpstreamError, { settings }: CheckContext): Finding | null {
  if (!message.startsWith('common.db.login')) return null
  if (failure === 'rate_limited')
    return createFinding(
      'error',
      'login_locked',
      `Tryton refuses to try the login of ${settings.user} for a while: its password was wrong too often`,
      'Stop what logs in with a wrong password, mend {path}.password, and wait five minutes',
      { blocks: true },
    )
  if (/answered 404/.test(message))
    return createFinding(
      'error',
      'database',
      `there is no database "${settings.database}" on that server`,
      'Give the name of the database in {path}.database, as Tryton itself is started with',
      { blocks: true },
    )
  if (failure !== 'rejected') return null
  return createFinding(
    'error',
    'login',
    `the login of ${settings.user} is refused`,
    'Give the right {path}.user and {path}.password, and see that the account is active in Tryton (Administration > Users)',
    { blocks: true },
  )
}
