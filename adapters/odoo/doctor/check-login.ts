import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { OdooId } from '../client/odoo-values.ts'
import type { ExaminationContext } from './examination-context.ts'
import { NEUTRAL_CONTEXT } from './neutral-context.ts'

const UserContext = responseSchema(Type.Object({ uid: OdooId }))

/** Checks that the database exists, and that Odoo accepts the API key. */
export async function checkLogin(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, settings, call } = context
  try {
    await rpc.call(UserContext, 'res.users/context_get', { context: NEUTRAL_CONTEXT }, call())
    return []
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    if (error.failure === 'misconfigured')
      return [toDatabaseFinding(settings.database, await context.listDatabases(call()))]
    if (error.failure !== 'unauthorized') throw error
    const finding = 'Odoo rejects the API key: it is wrong, or it has expired'
    const remedy =
      'Create an API key of the user in Odoo (Preferences > Security) for the longest duration, and set {path}.api_key'
    return [createFinding('error', 'api_key', finding, remedy, { blocks: true })]
  }
}

function toDatabaseFinding(database: string | undefined, databases: readonly string[] | null): DoctorFinding {
  const finding =
    database === undefined
      ? 'Odoo serves several databases or none, and the configuration names none'
      : `Odoo has no database "${database}"`
  const remedy = databases?.length
    ? `Set {path}.database to one of: ${databases.join(', ')}`
    : 'Set {path}.database to the name of the database in Odoo. This server does not list its databases: whoever runs it knows the name'
  return createFinding('error', 'database', finding, remedy, { blocks: true })
}
