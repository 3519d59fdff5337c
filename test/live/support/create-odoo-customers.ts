import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))

/** Creates contacts with credit. */
export const createOdooCustomers = async (rpc: Rpc, count: number, limit: number): Promise<string[]> => {
  const country = await rpc.call(
    Ids,
    'res.country/search',
    { domain: [['code', '=', 'JM']] },
    createCallWithLongDeadline(),
  )
  const address = { street: '12 Constant Spring Road', city: 'Kingston', country_id: country[0] }
  const vals_list = Array.from({ length: count }, (_, n) => ({
    name: `Workshop ${n + 1}`,
    is_company: true,
    use_partner_credit_limit: true,
    credit_limit: limit,
    ...address,
  }))
  return (await rpc.call(Ids, 'res.partner/create', { vals_list }, createCallWithLongDeadline())).map(String)
}
