import { type Static, Type } from 'typebox'
import type { Client, MerchantFacts } from '../../src/ports/adapter.ts'
import type { Call } from '../../src/ports/call.ts'
import type { Price, PricingPort } from '../../src/ports/pricing.ts'
import { amountsIn, plain } from '../amount.ts'
import { type Break, contractBreaks } from './contract-prices.ts'
import { partyId, readParty } from './parties.ts'
import { readPriceList } from './price-list.ts'
import { settled } from './products.ts'
import { records } from './records.ts'
import { createRpc } from './rpc.ts'
import type { TrytonSettings } from './settings.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from './values.ts'

const Unit = Type.Object({ id: TrytonId, symbol: Type.String(), factor: Type.Number() })
const PricedRow = Type.Object({
  id: TrytonId,
  code: Type.String(),
  active: TrytonBoolean,
  categories_all: Type.Array(TrytonId),
  list_price: Type.Union([TrytonDecimal, Type.Null()]),
  'default_uom.': Unit,
  'sale_uom.': Type.Optional(Type.Union([Unit, Type.Null()])),
  'account_category.': Type.Optional(
    Type.Union([Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) }), Type.Null()]),
  ),
})
const PricedRows = records(PricedRow)
export type PricedRow = Static<typeof PricedRow>
const PRICED_FIELDS = [
  ...['code', 'active', 'list_price', 'categories_all', 'account_category.customer_taxes_used'],
  ...['default_uom', 'sale_uom'].flatMap((unit) => [`${unit}.symbol`, `${unit}.factor`]),
]
const MAX_SKUS = 50

/** When prices were read, and how those of the merchant's currency are written. */
interface Reading {
  asOf: string
  amount(value: string): string
}

export function pricing(settings: TrytonSettings, client: Client, facts: MerchantFacts): PricingPort {
  const rpc = createRpc(settings, client, () => facts.now().getTime())
  const amount = amountsIn(facts.currency)

  async function listed(skus: readonly string[], call: Call): Promise<PricedRow[]> {
    const domain = [
      ['code', 'in', [...new Set(skus)]],
      ['active', 'in', [true, false]],
    ]
    const rows = await rpc(
      PricedRows,
      'product.product.search_read',
      [domain, 0, null, [['id', 'ASC']], PRICED_FIELDS],
      call,
    )
    const chosen = [...Map.groupBy(rows, (row) => row.code).values()].map((records) => settled(records))
    return chosen.filter((row) => row.list_price !== null)
  }

  return {
    maxSkus: MAX_SKUS,
    async prices(skus, customerId, call) {
      const party = customerId === null ? null : partyId(customerId)
      const [rows, customer] = await Promise.all([
        listed(skus, call),
        party === null ? null : readParty(rpc, party, call),
      ])
      const reading = { asOf: facts.now().toISOString(), amount }
      const list = customer?.sale_price_list
      if (party === null || list === undefined || list === null) return rows.map((row) => toListPrice(row, reading))
      const breaks = await contractBreaks(rpc, party, await readPriceList(rpc, list, call), rows, call)
      return rows.flatMap((row) => toContractPrice(row, breaks.get(row.id), reading))
    },
  }
}

function toListPrice(row: PricedRow, { asOf, amount }: Reading): Price {
  const list = amount(row.list_price!.decimal)
  return { ...common(row, asOf), amount: list, price_type: 'LIST', list_amount: list, breaks: [] }
}

/** The first is the price at the smallest quantity; a quantity at which nothing changes is no break. */
function toContractPrice(row: PricedRow, prices: readonly Break[] = [], { asOf, amount }: Reading): Price[] {
  const [first, ...more] = prices.map(({ min, price }) => ({
    min_quantity: plain(min),
    amount: amount(price),
  }))
  if (first === undefined) return []
  const breaks = more.filter((one, index) => one.amount !== (more[index - 1] ?? first).amount)
  const list = amount(row.list_price!.decimal)
  return [{ ...common(row, asOf), amount: first.amount, price_type: 'CONTRACT', list_amount: list, breaks }]
}

const common = (row: PricedRow, asOf: string) => ({
  sku: row.code,
  tax_included: false,
  uom: row['default_uom.'].symbol,
  as_of: asOf,
})
