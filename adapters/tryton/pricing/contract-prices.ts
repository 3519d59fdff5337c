import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { Rpc, RpcContext } from '../client/rpc.ts'
import { TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { PriceList } from './price-list.ts'
import type { PricedProductRow } from './price-reader.ts'
import { roundUnitPrice } from './unit-price.ts'

const Prices = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, sale_price_uom: Type.Union([TrytonDecimal, Type.Null()]) })),
)
/** Of a list, for the products of one page. Where it has more they are refused: a price without all of its breaks would be a wrong one. */
const MOST_QUANTITIES = 40
/** Each quantity is a question for each unit that products are sold in. */
const MOST_QUESTIONS = 100
/** The price of one base unit from so many base units on. */
export interface PriceBreak {
  min: Decimal
  price: string
}

/** Products that can share a call: the same units between base and sale, and the same taxes where those change the price. */
interface Group {
  rows: PricedProductRow[]
  context: RpcContext
  /** Base units in one unit of the price list. */
  ratio: Decimal
}

/** Prices of each product (by id) under a customer's price list, at every quantity at which that list may change its mind. */
export async function readContractBreaks(
  rpc: Rpc,
  party: number,
  list: PriceList,
  rows: readonly PricedProductRow[],
  call: Call,
) {
  const questions = groups(rows, list).flatMap((group) =>
    [...list.quantities].flatMap(([units, touches]) => {
      const ids = group.rows.filter(touches).map((row) => row.id)
      return ids.length === 0 ? [] : [{ group, units, ids }]
    }),
  )
  const { size } = new Set(questions.map(({ units }) => units))
  if (size > MOST_QUANTITIES || questions.length > MOST_QUESTIONS) {
    const questioned = `${size} quantities, or ${questions.length} with each unit,`
    throw new UpstreamError('rejected', `price list ${list.id} has ${questioned} for the products of one page`)
  }
  const asked = questions.map(async ({ group, units, ids }) => {
    const min = group.ratio.mul(units)
    const context = { ...group.context, price_list: list.id, customer: party, quantity: min.toNumber() }
    const prices = await rpc(Prices, 'product.product.read', [ids, ['sale_price_uom']], call, context)
    return prices.map((price) => ({ id: price.id, min, price: price.sale_price_uom?.decimal }))
  })
  return byProduct((await Promise.all(asked)).flat())
}

/** What one base unit of each product (by id) costs under a price list at a quantity of its own. */
export async function readContractPrices(
  rpc: Rpc,
  party: number,
  list: PriceList,
  rows: readonly PricedProductRow[],
  quantityOf: (row: PricedProductRow) => Decimal,
  call: Call,
): Promise<Map<number, string>> {
  const prices = await readExactContractPrices(rpc, party, list, rows, quantityOf, call)
  return new Map([...prices].map(([id, price]) => [id, roundUnitPrice(price)]))
}

/** The same with all digits that Tryton has. One question for all products that cost what they do from the same quantity of the list on. */
export async function readExactContractPrices(
  rpc: Rpc,
  party: number,
  list: PriceList,
  rows: readonly PricedProductRow[],
  quantityOf: (row: PricedProductRow) => Decimal,
  call: Call,
): Promise<Map<number, string>> {
  const asked = groups(rows, list).flatMap((group) =>
    [...Map.groupBy(group.rows, (row) => stepOf(row, quantityOf(row), group, list)).values()].map((own) => {
      // All of them are past that quantity, and the least of them is before any other's next.
      const quantity = Decimal.min(...own.map(quantityOf)).toNumber()
      const context = { ...group.context, price_list: list.id, customer: party, quantity }
      return rpc(Prices, 'product.product.read', [own.map(({ id }) => id), ['sale_price_uom']], call, context)
    }),
  )
  const prices = (await Promise.all(asked)).flat()
  return new Map(prices.flatMap(({ id, sale_price_uom: price }) => (price ? [[id, price.decimal]] : [])))
}

/**
 * The highest of the list's quantities that this much of a product reaches: between two of them it says the same. Below its first,
 * a quantity stands for itself: what a list says of those was not read.
 */
function stepOf(row: PricedProductRow, quantity: Decimal, { ratio }: Group, { quantities }: PriceList): string {
  let reached = 0
  for (const [units, touches] of quantities)
    if (units > reached && touches(row) && ratio.mul(units).lte(quantity)) reached = units
  return reached === 0 ? quantity.toFixed() : `from ${reached}`
}

/** Tryton prices in the sale unit unless told another; prices and quantities here are those of the base unit. */
function groups(rows: readonly PricedProductRow[], list: PriceList): Group[] {
  const keyed = Map.groupBy(rows, (row) => JSON.stringify(groupContext(row, list)))
  return [...keyed].map(([key, members]) => {
    const { ratio, ...context } = JSON.parse(key) as RpcContext & { ratio: string }
    return { rows: members, context, ratio: new Decimal(ratio) }
  })
}

function groupContext(row: PricedProductRow, list: PriceList): RpcContext & { ratio: string } {
  const base = row['default_uom.']
  const sale = row['sale_uom.'] ?? base
  const ratio = list.unit === 'product_sale' ? new Decimal(sale.factor).div(base.factor).toString() : '1'
  const unit = sale.id === base.id ? {} : { uom: base.id }
  return {
    ratio,
    ...unit,
    ...(list.tax_included ? { taxes: list.taxesOf(row['account_category.']?.customer_taxes_used ?? []) } : {}),
  }
}

function byProduct(
  prices: readonly { id: number; min: Decimal; price: string | undefined }[],
): Map<number, PriceBreak[]> {
  const breaks = new Map<number, PriceBreak[]>()
  for (const { id, min, price } of prices) {
    if (price === undefined) continue
    const own = breaks.get(id) ?? []
    breaks.set(id, own)
    own.push({ min, price: roundUnitPrice(price) })
  }
  for (const own of breaks.values()) own.sort((a, b) => a.min.comparedTo(b.min))
  return breaks
}
