import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { createAmountFormatter } from '../decimal-format.ts'
import { createWarehouseReader, type WarehouseLocations } from './catalog/warehouse-locations.ts'
import { type Capabilities, createCapabilities } from './client/capabilities.ts'
import { createRpc, type Rpc } from './client/rpc.ts'
import { type CartQuotes, connectQuote } from './pricing/cart-quotes.ts'
import { createPriceRecordReader, type PriceRecordReader } from './pricing/price-record-reader.ts'
import { createPromotionQuotes } from './pricing/promotion-quotes.ts'
import { createSkuTaxReader, type SkuTaxReader } from './pricing/sku-taxes.ts'
import type { TrytonSettings } from './settings.ts'

/** The login, the small tables, and the readers of prices and taxes that all ports of one Tryton share. */
export interface TrytonContext extends CartQuotes {
  rpc: Rpc
  settings: TrytonSettings
  facts: MerchantFacts
  capabilities: Capabilities
  /** Formats an amount in the currency of the merchant. */
  formatAmount(value: string): string
  taxes: SkuTaxReader
  prices: PriceRecordReader
  readWarehouses(call: Call): Promise<WarehouseLocations>
}

export function createContext(settings: TrytonSettings, client: HttpClient, facts: MerchantFacts): TrytonContext {
  const nowMs = () => facts.now().getTime()
  const rpc = createRpc(settings, client, nowMs)
  const capabilities = createCapabilities(rpc, nowMs)
  const taxes = createSkuTaxReader(rpc, facts)
  const prices = createPriceRecordReader(rpc, capabilities, facts)
  const promotions = createPromotionQuotes({ rpc, capabilities, settings, facts, taxes })
  return {
    rpc,
    settings,
    facts,
    capabilities,
    formatAmount: createAmountFormatter(facts.currency),
    taxes,
    prices,
    ...connectQuote(prices, promotions, facts),
    readWarehouses: createWarehouseReader(settings, rpc, nowMs),
  }
}
