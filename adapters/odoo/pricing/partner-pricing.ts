import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { OdooId, OdooLink, OdooText, parseRecordId } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { FiscalPosition } from './fiscal-position.ts'
import type { PositionRow, TaxTables } from './tax-tables.ts'

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

/** Returns the fiscal position that Odoo chooses for a customer who is delivered to at their own address. */
export function chooseFiscalPosition(partner: PartnerPricing, tables: TaxTables): FiscalPosition | null {
  if (partner.property_account_position_id) return tables.positions.get(partner.property_account_position_id) ?? null
  if (!partner.country_id) return null
  const match = tables.automaticPositions.find((position) => appliesTo(position, partner))
  return (match && tables.positions.get(match.id)) ?? null
}

function appliesTo(position: PositionRow, { vat, zip, country_id, state_id }: PartnerPricing): boolean {
  if (position.vat_required && !vat) return false
  const { zip_from, zip_to, state_ids, country_group_id } = position
  if (zip_from && zip_to && !(zip && zip_from <= zip && zip <= zip_to)) return false
  if (state_ids.length > 0 && !(state_id && state_ids.includes(state_id))) return false
  if (position.country_id && position.country_id !== country_id) return false
  return !country_group_id || (country_id !== false && country_group_id.country_ids.includes(country_id))
}
