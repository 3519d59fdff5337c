import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import {
  type CategoryParents,
  categoryWithAncestors,
  createCategoryParentsReader,
} from '../catalog/category-parents.ts'
import type { Rpc } from '../client/rpc.ts'
import type { Promotion, PromotionSale } from './apply-promotions.ts'
import { readExactContractPrices } from './contract-prices.ts'
import type { PriceList } from './price-list-reader.ts'
import type { PricedProductRow } from './price-record-reader.ts'
import type { PromotionRow } from './promotion-and-coupon-reader.ts'
import { computeSaleTotals, readTaxRounding } from './sale-totals.ts'
import type { SkuTaxReader } from './sku-taxes.ts'
import { readUnitsOfMeasure } from './units-of-measure.ts'

/** A cart line at the customer's own price. */
export interface PricedCartLine {
  line_id: string
  sku: string
  quantity: string
  row: PricedProductRow
  price: string
}

export interface PricedCart {
  customerId: string
  party: number
  list: PriceList | null
  lines: readonly PricedCartLine[]
  /** Products that may be sold for the delivery. */
  deliveryProducts: readonly { product: number; unit: number }[]
  digits: number
}

export interface PromotionSaleSources {
  rpc: Rpc
  facts: MerchantFacts
  taxes: SkuTaxReader
}

/** Returns a function that reads the parts of a sale that promotions depend on. */
export function createPromotionSaleReader({ rpc, facts, taxes }: PromotionSaleSources) {
  const readCategoryParents = createCategoryParentsReader(rpc, () => facts.now().getTime())

  return async (
    promotions: readonly Promotion[],
    { list: priceList, lines, deliveryProducts, ...cart }: PricedCart,
    call: Call,
  ): Promise<PromotionSale & { parents: CategoryParents }> => {
    const ids = new Set([...lines.map(({ row }) => row.id), ...deliveryProducts.map(({ product }) => product)])
    const rows = promotions
      .map(({ row }) => row)
      .filter(({ products }) => products.length === 0 || products.some((id) => ids.has(id)))
    const products = [...new Map(lines.map(({ row }) => [row.id, row])).values()]
    const unitIds = rows.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    const [parents, units, formulaPrices, totals] = await Promise.all([
      rows.some(({ categories }) => categories.length > 0) ? readCategoryParents(call) : (new Map() as CategoryParents),
      readUnitsOfMeasure(
        rpc,
        unitIds.length === 0
          ? []
          : [...unitIds, ...products.map((row) => row['default_uom.'].id), ...deliveryProducts.map(({ unit }) => unit)],
        call,
      ),
      priceList && rows.length > 0
        ? readExactContractPrices(rpc, cart.party, priceList, products, () => new Decimal(0), call)
        : null,
      rows.some(hasMinimum) ? readTotals({ rpc, taxes }, lines, cart, call) : { untaxed: null, total: null },
    ])
    return {
      parents,
      today: dateInTimeZone(facts.timeZone, facts.now()),
      priceList: priceList?.id ?? null,
      units,
      ...totals,
      lines: lines.map(({ row, ...line }) => ({
        ...line,
        product: row.id,
        unit: row['default_uom.'].id,
        categories: row.categories_all.flatMap((id) => categoryWithAncestors(id, parents)),
        formulaPrice: priceList ? (formulaPrices?.get(row.id) ?? line.price) : row.list_price!.decimal,
      })),
    }
  }
}

export const hasMinimum = ({ amount }: PromotionRow) => amount !== null && !new Decimal(amount.decimal).isZero()

/** Computes the totals of the sale without promotions, as Tryton does. */
async function readTotals(
  { rpc, taxes }: Pick<PromotionSaleSources, 'rpc' | 'taxes'>,
  lines: readonly PricedCartLine[],
  { customerId, digits }: Pick<PricedCart, 'customerId' | 'digits'>,
  call: Call,
) {
  const skus = [...new Set(lines.map(({ sku }) => sku))]
  const [skuTaxes, rounding] = await Promise.all([taxes.readTaxes(skus, customerId, call), readTaxRounding(rpc, call)])
  const bySku = new Map(skuTaxes.map((tax) => [tax.sku, tax]))
  const NO_TAX = { code: '', rate: '0' }
  const rows = lines.map(({ sku, quantity, price }) => ({
    quantity,
    unit_price: price,
    tax: bySku.get(sku) ?? NO_TAX,
  }))
  const [byLine, byDocument] = computeSaleTotals(rows, digits)
  const { untaxed, tax } = rounding === 'line' ? byLine! : byDocument!
  const hasAllTaxes = skus.every((sku) => bySku.has(sku))
  return { untaxed: new Decimal(untaxed), total: hasAllTaxes ? new Decimal(untaxed).plus(tax) : null }
}
