import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { amountsIn, plain } from '../amount-format.ts'
import { createAbilities } from './client/capabilities.ts'
import { type Break, contractBreaks } from './pricing/contract-prices.ts'
import { LATE_COMMIT_SECONDS } from './accounting-context.ts'
import { partyId } from './pricing/party-pricing.ts'
import { priceChanges } from './pricing/price-changes.ts'
import { type ListedRow, priceReader } from './pricing/price-reader.ts'
import { promotionQuotes } from './pricing/promotion-quotes.ts'
import { quoting } from './pricing/quote.ts'
import { createRpc } from './client/rpc.ts'
import type { TrytonSettings } from './settings.ts'
import { skuTaxes } from './pricing/sku-taxes.ts'

const MAX_SKUS = 50

/** When prices were read, and how those of the merchant's currency are written. */
interface Reading {
  asOf: string
  amount(value: string): string
}

export function pricing(settings: TrytonSettings, client: Client, facts: MerchantFacts): PricingPort {
  const now = () => facts.now().getTime()
  const rpc = createRpc(settings, client, now)
  const abilities = createAbilities(rpc, now)
  const reader = priceReader(rpc, abilities, facts)
  const promotions = promotionQuotes({ rpc, abilities, settings, facts, taxes: skuTaxes(rpc, facts) })
  const amount = amountsIn(facts.currency)
  /** Whether a customer was met who has a price list: what that looks at is then read at once, and else not at all. */
  let sellsByList = false

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    async prices(skus, customerId, call) {
      const party = customerId === null ? null : partyId(customerId)
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
      const breaks = await contractBreaks(rpc, party, list, rows, call)
      return rows.flatMap((row) => toContractPrice(row, breaks.get(row.id), reading))
    },
    ...quoting(reader, promotions, facts),
    priceChanges: priceChanges(rpc, abilities, now),
  }
}

function toListPrice(row: ListedRow, { asOf, amount }: Reading): Price {
  const list = amount(row.list_price!.decimal)
  return { ...common(row, asOf), amount: list, price_type: 'LIST', list_amount: list, breaks: [] }
}

/** The first is the price at the smallest quantity; a quantity at which nothing changes is no break. */
function toContractPrice(row: ListedRow, prices: readonly Break[] = [], { asOf, amount }: Reading): Price[] {
  const [first, ...more] = prices.map(({ min, price }) => ({
    min_quantity: plain(min),
    amount: amount(price),
  }))
  if (first === undefined) return []
  const breaks = more.filter((one, index) => one.amount !== (more[index - 1] ?? first).amount)
  const list = amount(row.list_price!.decimal)
  return [{ ...common(row, asOf), amount: first.amount, price_type: 'CONTRACT', list_amount: list, breaks }]
}

const common = (row: ListedRow, asOf: string) => ({
  sku: row.code,
  tax_included: false,
  uom: row['default_uom.'].symbol,
  as_of: asOf,
})
