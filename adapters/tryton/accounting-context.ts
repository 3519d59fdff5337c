import { UpstreamError } from '../../src/errors.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { Quote, QuoteRequest } from '../../src/ports/pricing.ts'
import type { WarehouseLocations } from './catalog/warehouses.ts'
import type { Capabilities } from './client/capabilities.ts'
import type { Rpc } from './client/rpc.ts'
import type { SkuTaxReader } from './pricing/sku-taxes.ts'
import type { TrytonSettings } from './settings.ts'

/** What the parts of the accounting port share. */
export interface AccountingContext {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
  abilities: Capabilities
  /** Of the merchant's currency. */
  amount(value: string): string
  taxes: SkuTaxReader
  quote(question: QuoteRequest, call: Call): Promise<Quote>
  places(call: Call): Promise<WarehouseLocations>
}

/** What Tryton said no to; every other failure goes on as it is. */
export const isRejected = (error: unknown): error is UpstreamError =>
  error instanceof UpstreamError && error.failure === 'rejected' && !error.retryable

/** Of an amount in the merchant's currency. */
export const currencyDigits = ({ amount }: Pick<AccountingContext, 'amount'>): number =>
  amount('0').split('.')[1]?.length ?? 0

/** An account may see several companies, which share their parties: what the shop shows is its own company's alone. */
export const companyDomain = ({ settings }: Pick<AccountingContext, 'settings'>): unknown[] => [
  'company',
  '=',
  settings.company ?? 1,
]

/** A customer's, an order's or an invoice's id; `null` for what can be none of Tryton's. */
export const parseRecordId = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

/** A change is stamped with the start of its transaction, and shows at its end: gunicorn allows a request 120 s at the most. */
export const LATE_COMMIT_SECONDS = 120
