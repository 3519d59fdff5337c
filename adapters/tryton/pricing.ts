import type { HttpClient, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { createAmountFormatter, formatDecimal } from '../amount-format.ts'
import { LATE_COMMIT_SECONDS } from './accounting-context.ts'
import { createCapabilities } from './client/capabilities.ts'
import { createRpc } from './client/rpc.ts'
import { type PriceBreak, readContractBreaks } from './pricing/contract-prices.ts'
import { parsePartyId } from './pricing/party-pricing.ts'
import { createPriceChangeFeed } from './pricing/price-changes.ts'
import { createPriceReader, type ListPriceRow } from './pricing/price-reader.ts'
import { createPromotionQuotes } from './pricing/promotion-quotes.ts'
import { connectQuote } from './pricing/quote.ts'
import { createSkuTaxReader } from './pricing/sku-taxes.ts'
import type { TrytonSettings } from './settings.ts'

const MAX_SKUS = 50

/** When prices were read, and how those of the merchant's currency are written. */
interface Reading {
  asOf: string
  amount(value: string): string
}

export function connectPricing(settings: TrytonSettings, client: HttpClient, facts: MerchantFacts): PricingPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const abilities = createCapabilities(rpc, now)
  const reader = createPriceReader(rpc, abilities, facts)
  const promotions = createPromotionQuotes({ rpc, abilities, settings, facts, taxes: createSkuTaxReader(rpc, facts) })
  const amount = createAmountFormatter(facts.currency)
  /** Whether a customer was met who has a price list: what that looks at is then read at once, and else not at all. */
  let sellsByList = false

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    async prices(skus, customerId, call) {
      const party = customerId === null ? null : parsePartyId(customerId)
      const atOnce = party !== null && sellsByList
      const [listed, priced, list] = await Promise.all([
        atOnce ? null : reader.listed(skus, call),
        atOnce ? reader.rows(skus, call) : null,
        party === null ? null : reader.listOf(party, call),
      ])
      const reading = { asOf: facts.now().toISOString(), amount }
      if (party === null || list === null) return (listed ?? priced!).map((row) => toListPrice(row, reading))
      sellsByList = true
      const rows = priced ?? (await reader.rows(skus, call))
      const breaks = await readContractBreaks(rpc, party, list, rows, call)
      return rows.flatMap((row) => toContractPrice(row, breaks.get(row.id), reading))
    },
    ...connectQuote(reader, promotions, facts),
    priceChanges: createPriceChangeFeed(rpc, abilities, now),
  }
}

function toListPrice(row: ListPriceRow, { asOf, amount }: Reading): Price {
  const list = amount(row.list_price!.decimal)
  return { ...common(row, asOf), amount: list, price_type: 'LIST', list_amount: list, breaks: [] }
}

/** The first is the price at the smallest quantity; a quantity at which nothing changes is no break. */
function toContractPrice(row: ListPriceRow, prices: readonly PriceBreak[] = [], { asOf, amount }: Reading): Price[] {
  const [first, ...more] = prices.map(({ min, price }) => ({
    min_quantity: formatDecimal(min),
    amount: amount(price),
  }))
  if (first === undefined) return []
  const breaks = more.filter((one, index) => one.amount !== (more[index - 1] ?? first).amount)
  const list = amount(row.list_price!.decimal)
  return [{ ...common(row, asOf), amount: first.amount, price_type: 'CONTRACT', list_amount: list, breaks }]
}

const common = (row: ListPriceRow, asOf: string) => ({
  sku: row.code,
  tax_included: false,
  uom: row['default_uom.'].symbol,
  as_of: asOf,
})
