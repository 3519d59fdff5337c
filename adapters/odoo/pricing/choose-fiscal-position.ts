import type { FiscalPosition } from './fiscal-position.ts'
import type { PartnerPricing } from './partner-pricing.ts'
import type { PositionRow, TaxTables } from './tax-tables.ts'

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
