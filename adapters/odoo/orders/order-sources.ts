import type { OdooContext } from '../context.ts'
import type { TaxRow } from '../pricing/combined-tax.ts'

/** The values that the mapping of an order needs in addition to its row. */
export interface OrderSources {
  facts: OdooContext['facts']
  formatAmount: OdooContext['formatAmount']
  digits: number
  countryCode: string
  taxes: ReadonlyMap<number, TaxRow>
  units: ReadonlyMap<number, { name: string }>
}
