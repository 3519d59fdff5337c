import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { Quote, QuoteRequest } from '../../src/ports/pricing.ts'
import type { WarehouseLocations } from './catalog/warehouses.ts'
import type { Capabilities } from './client/capabilities.ts'
import type { Rpc } from './client/rpc.ts'
import type { SkuTaxReader } from './pricing/sku-taxes.ts'
import type { TrytonSettings } from './settings.ts'

/** The dependencies of the parts of the accounting port. */
export interface AccountingContext {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
  capabilities: Capabilities
  /** Formats an amount in the currency of the merchant. */
  formatAmount(value: string): string
  taxes: SkuTaxReader
  quote(question: QuoteRequest, call: Call): Promise<Quote>
  readWarehouses(call: Call): Promise<WarehouseLocations>
}

/** Returns the number of decimals of the currency of the merchant. */
export const currencyDigits = ({ formatAmount }: Pick<AccountingContext, 'formatAmount'>): number =>
  formatAmount('0').split('.')[1]?.length ?? 0

/** A domain of the records of the company. An account may see several companies, and these share their parties. */
export const companyDomain = ({ settings }: Pick<AccountingContext, 'settings'>): unknown[] => [
  'company',
  '=',
  settings.company ?? 1,
]
