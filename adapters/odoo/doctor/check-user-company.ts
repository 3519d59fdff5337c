import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { ExaminationContext } from './examination-context.ts'
import { NEUTRAL_CONTEXT } from './neutral-context.ts'

const UserContext = responseSchema(Type.Object({ uid: OdooId }))
const Users = foundShape(
  Type.Object({ id: OdooId, company_ids: Type.Array(Type.Object({ id: OdooId, name: Type.String() })) }),
)

/** Checks that the user belongs to the company of the shop. Odoo rejects every call of other users. */
export async function checkUserCompany({ rpc, settings, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const { company = 1 } = settings
  const context = NEUTRAL_CONTEXT
  const { uid } = await rpc.call(UserContext, 'res.users/context_get', { context }, call())
  const search = { domain: [['id', '=', uid]], specification: { company_ids: { fields: { name: {} } } }, context }
  const companies = (await rpc.search(Users, 'res.users', search, call())).records[0]?.company_ids ?? []
  if (companies.some(({ id }) => id === company)) return []
  const existing = companies
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, name }) => `${id} (${name})`)
    .join(', ')
  return [
    createFinding(
      'error',
      'company',
      `the user of the key does not belong to company ${company}, or there is no such company`,
      `Set {path}.company to one of: ${existing}. Or add the company to the user in Odoo (Settings > Users)`,
      { blocks: true },
    ),
  ]
}
