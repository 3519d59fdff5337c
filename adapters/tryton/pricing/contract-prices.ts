import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc, RpcContext } from '../client/rpc.ts'
import { TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { PriceList } from './price-list-reader.ts'
import type { PricedProductRow } from './price-record-reader.ts'
import { roundUnitPrice } from './round-unit-price.ts'

const Prices = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, sale_price_uom: Type.Union([TrytonDecimal, Type.Null()]) })),
)
/**
 * The maximum number of quantities of a list for the products of one page. Beyond it the read fails: a price without
 * all of its breaks would be wrong.
 */
const MAX_QUANTITIES = 40
/** The maximum number of calls: one per quantity and sale unit. */
const MAX_READS = 100
/** The price of one base unit, from a quantity of base units upwards. */
export interface PriceBreak {
  minQuantity: Decimal
  price: string
}

/** Products that share a call: the same ratio of base to sale unit, and the same taxes where those change the price. */
interface Group {
  rows: PricedProductRow[]
  context: RpcContext
  /** Base units per unit of the price list. */
  ratio: Decimal
}

/** Reads the prices of each product (by id) under a price list, at every quantity at which they may change. */
export async function readContractBreaks(
  rpc: Rpc,
  party: number,
  priceList: PriceList,
  rows: readonly PricedProductRow[],
  call: Call,
) {
  const reads = groupRows(rows, priceList).flatMap((group) =>
    [...priceList.quantities].flatMap(([units, appliesTo]) => {
      const ids = group.rows.filter(appliesTo).map((row) => row.id)
      return ids.length === 0 ? [] : [{ group, units, ids }]
    }),
  )
  const { size: quantityCount } = new Set(reads.map(({ units }) => units))
  if (quantityCount > MAX_QUANTITIES || reads.length > MAX_READS) {
    const counts = `${quantityCount} quantities, or ${reads.length} with each unit,`
    throw new UpstreamError('rejected', `price list ${priceList.id} has ${counts} for the products of one page`)
  }
  const pending = reads.map(async ({ group, units, ids }) => {
    const minQuantity = group.ratio.mul(units)
    const context = { ...group.context, price_list: priceList.id, customer: party, quantity: minQuantity.toNumber() }
    const prices = await rpc(Prices, 'product.product.read', [ids, ['sale_price_uom']], call, context)
    return prices.map((price) => ({ id: price.id, minQuantity, price: price.sale_price_uom?.decimal }))
  })
  return toBreaksByProduct((await Promise.all(pending)).flat())
}

/** Reads the price of one base unit of each product (by id) under a price list, at a quantity of its own. */
export async function readContractPrices(
  rpc: Rpc,
  party: number,
  priceList: PriceList,
  rows: readonly PricedProductRow[],
  quantityOf: (row: PricedProductRow) => Decimal,
  call: Call,
): Promise<Map<number, string>> {
  const prices = await readExactContractPrices(rpc, party, priceList, rows, quantityOf, call)
  return new Map([...prices].map(([id, price]) => [id, roundUnitPrice(price)]))
}

/** Reads the same prices with all digits of Tryton, in one call per step of the list for all products that reach it. */
export async function readExactContractPrices(
  rpc: Rpc,
  party: number,
  priceList: PriceList,
  rows: readonly PricedProductRow[],
  quantityOf: (row: PricedProductRow) => Decimal,
  call: Call,
): Promise<Map<number, string>> {
  const pending = groupRows(rows, priceList).flatMap((group) =>
    [...Map.groupBy(group.rows, (row) => priceStep(row, quantityOf(row), group, priceList)).values()].map(
      (breaksOfProduct) => {
        // All of these quantities lie in one step of the list.
        const quantity = Decimal.min(...breaksOfProduct.map(quantityOf)).toNumber()
        const context = { ...group.context, price_list: priceList.id, customer: party, quantity }
        return rpc(
          Prices,
          'product.product.read',
          [breaksOfProduct.map(({ id }) => id), ['sale_price_uom']],
          call,
          context,
        )
      },
    ),
  )
  const prices = (await Promise.all(pending)).flat()
  return new Map(prices.flatMap(({ id, sale_price_uom: price }) => (price ? [[id, price.decimal]] : [])))
}

/**
 * Returns the step of a quantity: the highest quantity of the list that it reaches, because the price is constant
 * between two. Below the first one, a quantity is its own step: the list was not read for those.
 */
function priceStep(row: PricedProductRow, quantity: Decimal, { ratio }: Group, { quantities }: PriceList): string {
  let reached = 0
  for (const [units, appliesTo] of quantities)
    if (units > reached && appliesTo(row) && ratio.mul(units).lte(quantity)) reached = units
  return reached === 0 ? quantity.toFixed() : `from ${reached}`
}

/**
 * Groups products by the context of their call. Tryton prices in the sale unit by default; prices and quantities here
 * are per base unit.
 */
function groupRows(rows: readonly PricedProductRow[], priceList: PriceList): Group[] {
  const rowsByContext = Map.groupBy(rows, (row) => JSON.stringify(groupContext(row, priceList)))
  return [...rowsByContext].map(([key, members]) => {
    const { ratio, ...context } = JSON.parse(key) as RpcContext & { ratio: string }
    return { rows: members, context, ratio: new Decimal(ratio) }
  })
}

function groupContext(row: PricedProductRow, priceList: PriceList): RpcContext & { ratio: string } {
  const base = row['default_uom.']
  const sale = row['sale_uom.'] ?? base
  const ratio = priceList.unit === 'product_sale' ? new Decimal(sale.factor).div(base.factor).toString() : '1'
  const unit = sale.id === base.id ? {} : { uom: base.id }
  return {
    ratio,
    ...unit,
    ...(priceList.tax_included
      ? { taxes: priceList.includedTaxIds(row['account_category.']?.customer_taxes_used ?? []) }
      : {}),
  }
}

function toBreaksByProduct(
  prices: readonly { id: number; minQuantity: Decimal; price: string | undefined }[],
): Map<number, PriceBreak[]> {
  const breaks = new Map<number, PriceBreak[]>()
  for (const { id, minQuantity, price } of prices) {
    if (price === undefined) continue
    const breaksOfProduct = breaks.get(id) ?? []
    breaks.set(id, breaksOfProduct)
    breaksOfProduct.push({ minQuantity, price: roundUnitPrice(price) })
  }
  for (const breaksOfProduct of breaks.values()) breaksOfProduct.sort((a, b) => a.minQuantity.comparedTo(b.minQuantity))
  return breaks
}
