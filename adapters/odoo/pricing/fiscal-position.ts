export interface FiscalPosition {
  id: number
  /** The taxes that replace each tax; a tax that is not here stays. */
  replacements: ReadonlyMap<number, readonly number[]>
  /** A position without any tax removes all taxes. */
  hasTaxes: boolean
}

/** Returns the taxes after a fiscal position, as Odoo's `map_tax` does. */
export function mapTaxes(ids: readonly number[], position: FiscalPosition | null): number[] {
  if (position === null) return [...ids]
  if (!position.hasTaxes) return []
  return [...new Set(ids.flatMap((id) => position.replacements.get(id) ?? [id]))]
}
