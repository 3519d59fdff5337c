import type { Row } from './field-substitutes.ts'

/**
 * Returns fiscal positions in the order in which Odoo 16 tries the automatic ones: first those that need a tax number, and
 * among these the most specific ones. Later versions follow the order of the list.
 */
export const rankFiscalPositions = (rows: readonly Row[]): Row[] =>
  rows.map(toTried).sort((a, b) => rankOf(a) - rankOf(b))

const hasZip = ({ zip_from, zip_to }: Row) => Boolean(zip_from && zip_to)
const hasState = ({ state_ids }: Row) => state_ids.length > 0

/** Returns a position without the conditions that Odoo 16 does not look at. */
function toTried(row: Row): Row {
  if (row.country_id) return { ...row, country_group_id: false }
  // A group of countries counts only without states and postal codes.
  if (row.country_group_id) return { ...row, auto_apply: row.auto_apply && !hasZip(row) && !hasState(row) }
  return { ...row, zip_from: false, zip_to: false, state_ids: [] }
}

function rankOf(row: Row): number {
  const withoutTaxNumber = row.vat_required ? 0 : 6
  if (row.country_id) return withoutTaxNumber + (hasZip(row) ? 0 : 2) + (hasState(row) ? 0 : 1)
  return withoutTaxNumber + (row.country_group_id ? 4 : 5)
}
