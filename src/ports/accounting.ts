import type { Call } from './call.ts'

/** The tax that the ledger would put on one sale of this SKU. `rate` is a decimal-string fraction: "0.15". */
export interface Tax {
  sku: string
  code: string
  name: string
  rate: string
}

/** What Forecourt asks of the ledger. Every method rejects with UpstreamError alone. */
export interface AccountingPort {
  readonly maxSkus: number
  /** The tax of each SKU for an anonymous shopper, or for a customer (exempt ones have rate "0"); unknown SKUs are left out. */
  taxes(skus: readonly string[], customerId: string | null, call: Call): Promise<Tax[]>
}
