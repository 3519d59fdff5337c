import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { OdooId, OdooLink, OdooText, parseRecordId } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'

const Partner = Type.Object({
  id: OdooId,
  active: Type.Boolean(),
  commercial_partner_id: Type.Object({ id: OdooId, credit_limit: Type.Number() }),
  property_product_pricelist: Type.Union([
    Type.Object({ id: OdooId, currency_id: Type.Object({ id: OdooId, name: Type.String() }) }),
    Type.Literal(false),
  ]),
  property_account_position_id: OdooLink,
  country_id: OdooLink,
  state_id: OdooLink,
  zip: OdooText,
  vat: OdooText,
})
export type PartnerPricing = Static<typeof Partner>
const Partners = foundShape(Partner)
const specification = {
  active: {},
  commercial_partner_id: { fields: { credit_limit: {} } },
  property_product_pricelist: { fields: { currency_id: { fields: { name: {} } } } },
  property_account_position_id: {},
  country_id: {},
  state_id: {},
  zip: {},
  vat: {},
}

/** Reads the price list and the fiscal position of a customer. Rejects an unknown one: the public price must never replace theirs. */
export async function readPartnerPricing(rpc: Rpc, customerId: string, call: Call): Promise<PartnerPricing> {
  const id = parseRecordId(customerId)
  if (id === null) throw new UpstreamError('rejected', 'the id of a customer in Odoo is a number')
  // A customer on hold, who is archived, still sees their prices.
  const domain = [
    ['id', '=', id],
    ['active', 'in', [true, false]],
  ]
  const { records } = await rpc.search(Partners, 'res.partner', { domain, specification, limit: 1 }, call)
  if (!records[0]) throw new UpstreamError('rejected', 'there is no such contact in Odoo')
  return records[0]
}
