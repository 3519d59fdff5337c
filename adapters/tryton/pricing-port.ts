import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { formatDecimal } from '../decimal-format.ts'
import { LATE_COMMIT_SECONDS } from './client/late-commit.ts'
import type { TrytonContext } from './context.ts'
import { type PriceBreak, readContractBreaks } from './pricing/contract-prices.ts'
import { parsePartyId } from './pricing/parse-party-id.ts'
import { createPriceChangeFeed } from './pricing/price-changes.ts'
import type { ListPriceRow } from './pricing/price-record-reader.ts'

const MAX_SKUS = 50

/** The time at which prices were read, and the format of amounts. */
interface Reading {
  asOf: string
  amount(value: string): string
}

export function connectPricing({
  rpc,
  facts,
  capabilities,
  formatAmount,
  prices: reader,
  quote,
}: TrytonContext): PricingPort {
  /** True once a customer with a price list was seen: the fields that price lists need are then read right away. */
  let hasPriceListCustomers = false

  return {
    maxSkus: MAX_SKUS,
    watermarkOverlapSeconds: LATE_COMMIT_SECONDS,
    async prices(skus, customerId, call) {
      const party = customerId === null ? null : parsePartyId(customerId)
      const readsPriceListFields = party !== null && hasPriceListCustomers
      const [listPriceRows, pricedRows, priceList] = await Promise.all([
        readsPriceListFields ? null : reader.readListPriceRows(skus, call),
        readsPriceListFields ? reader.readPricedRows(skus, call) : null,
        party === null ? null : reader.readCustomerPriceList(party, call),
      ])
      const reading = { asOf: facts.now().toISOString(), amount: formatAmount }
      if (party === null || priceList === null)
        return (listPriceRows ?? pricedRows!).map((row) => toListPrice(row, reading))
      hasPriceListCustomers = true
      const rows = pricedRows ?? (await reader.readPricedRows(skus, call))
      const breaks = await readContractBreaks(rpc, party, priceList, rows, call)
      return rows.flatMap((row) => toContractPrice(row, breaks.get(row.id), reading))
    },
    quote,
    priceChanges: createPriceChangeFeed(rpc, capabilities, () => facts.now().getTime()),
  }
}

function toListPrice(row: ListPriceRow, { asOf, amount: formatAmount }: Reading): Price {
  const priceList = formatAmount(row.list_price!.decimal)
  return { ...commonFields(row, asOf), amount: priceList, price_type: 'LIST', list_amount: priceList, breaks: [] }
}

/** Returns a contract price. The first break is the price at the smallest quantity; a quantity at which nothing changes is not a break. */
function toContractPrice(
  row: ListPriceRow,
  prices: readonly PriceBreak[] = [],
  { asOf, amount: formatAmount }: Reading,
): Price[] {
  const [smallest, ...more] = prices.map(({ minQuantity, price }) => ({
    min_quantity: formatDecimal(minQuantity),
    amount: formatAmount(price),
  }))
  if (smallest === undefined) return []
  const breaks = more.filter((priceBreak, index) => priceBreak.amount !== (more[index - 1] ?? smallest).amount)
  const priceList = formatAmount(row.list_price!.decimal)
  return [
    { ...commonFields(row, asOf), amount: smallest.amount, price_type: 'CONTRACT', list_amount: priceList, breaks },
  ]
}

const commonFields = (row: ListPriceRow, asOf: string) => ({
  sku: row.code,
  tax_included: false,
  uom: row['default_uom.'].symbol,
  as_of: asOf,
})
