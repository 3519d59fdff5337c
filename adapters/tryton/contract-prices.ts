import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import { shape } from '../../src/upstream/shape.ts'
import type { PricedRow } from './pricing.ts'
import type { Context, Rpc } from './rpc.ts'
import { TrytonBoolean, TrytonDecimal, TrytonId } from './values.ts'

const List = Type.Object({ id: TrytonId, tax_included: TrytonBoolean, unit: Type.String() })
const Lists = shape(Type.Array(List))
const Lines = shape(Type.Array(Type.Object({ quantity: Type.Union([Type.Number(), Type.Null()]) })))
const Prices = shape(
  Type.Array(Type.Object({ id: TrytonId, sale_price_uom: Type.Union([TrytonDecimal, Type.Null()]) })),
)
/** Each costs a call; a list with more of them is refused, because a price without its breaks would be a wrong one. */
const MAX_QUANTITIES = 20

/** The price of one base unit from so many base units on. */
export interface Break {
  min: Decimal
  price: string
}

/** Products that can share a call: the same units between base and sale, and the same taxes where those change the price. */
interface Group {
  rows: PricedRow[]
  context: Context
  /** Base units in one unit of the price list. */
  ratio: Decimal
}

/** Prices of each product (by id) under a customer's price list, at every quantity at which that list may change its mind. */
export async function contractBreaks(
  rpc: Rpc,
  { party, list }: { party: number; list: number },
  rows: readonly PricedRow[],
  call: Call,
): Promise<Map<number, Break[]>> {
  if (rows.length === 0) return new Map()
  const [found, lines] = await Promise.all([
    rpc(Lists, 'product.price_list.read', [[list], ['tax_included', 'unit']], call),
    rpc(
      Lines,
      'product.price_list.line.search_read',
      [
        [
          ['price_list', '=', list],
          ['quantity', '>', 1],
        ],
        0,
        null,
        null,
        ['quantity'],
      ],
      call,
    ),
  ])
  const quantities = [1, ...new Set(lines.map((line) => line.quantity ?? 1))].sort((a, b) => a - b)
  if (quantities.length > MAX_QUANTITIES)
    throw new UpstreamError('rejected', `price list ${list} has ${quantities.length} quantities`)
  const asked = groups(rows, found[0]!).flatMap((group) =>
    quantities.map(async (units) => {
      const min = group.ratio.mul(units)
      const context = { ...group.context, price_list: list, customer: party, quantity: min.toNumber() }
      const ids = group.rows.map((row) => row.id)
      const prices = await rpc(Prices, 'product.product.read', [ids, ['sale_price_uom']], call, context)
      return prices.map((price) => ({ id: price.id, min, price: price.sale_price_uom?.decimal }))
    }),
  )
  return byProduct((await Promise.all(asked)).flat())
}

/** Tryton prices in the sale unit unless told another; prices and quantities here are those of the base unit. */
function groups(rows: readonly PricedRow[], list: Static<typeof List>): Group[] {
  const keyed = Map.groupBy(rows, (row) => JSON.stringify(groupContext(row, list)))
  return [...keyed].map(([key, members]) => {
    const { ratio, ...context } = JSON.parse(key) as Context & { ratio: string }
    return { rows: members, context, ratio: new Decimal(ratio) }
  })
}

function groupContext(row: PricedRow, list: Static<typeof List>): Context & { ratio: string } {
  const base = row['default_uom.']
  const sale = row['sale_uom.'] ?? base
  const ratio = list.unit === 'product_sale' ? new Decimal(sale.factor).div(base.factor).toString() : '1'
  const unit = sale.id === base.id ? {} : { uom: base.id }
  return {
    ratio,
    ...unit,
    ...(list.tax_included ? { taxes: row['account_category.']?.customer_taxes_used ?? [] } : {}),
  }
}

function byProduct(prices: readonly { id: number; min: Decimal; price: string | undefined }[]): Map<number, Break[]> {
  const breaks = new Map<number, Break[]>()
  for (const { id, min, price } of prices) {
    if (price === undefined) continue
    const own = breaks.get(id) ?? []
    breaks.set(id, own)
    own.push({ min, price })
  }
  for (const own of breaks.values()) own.sort((a, b) => a.min.comparedTo(b.min))
  return breaks
}
