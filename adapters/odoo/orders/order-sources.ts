import type { OdooContext } from '../context.ts'
import type { TaxRow } from '../pricing/combined-tax.ts'

/** What the mapping of an order needs beside its row. */
export interface OrderSources {
  facts: OdooContext['facts']
  formatAmount: OdooContext['formatAmount']
  digits: number
  countryCode: string
  taxes: ReadonlyMap<number, TaxRow>
  units: ReadonlyMap<number, { name: string }>
}
