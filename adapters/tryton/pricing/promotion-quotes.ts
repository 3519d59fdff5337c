import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { readExactContractPrices } from './contract-prices.ts'
import { computeLineDiscount } from './line-discount.ts'
import {
  type CategoryParents,
  categoryWithAncestors,
  createCategoryParentsReader,
  type PriceList,
} from './price-list.ts'
import type { PricedProductRow } from './price-reader.ts'
import { applyPromotionCodes, type PromotionCodeResult } from './promotion-codes.ts'
import { parsePromotionFormula } from './promotion-formula.ts'
import { type CouponRow, createPromotionReader, type PromotionRow } from './promotion-reader.ts'
import type { Promotion, PromotionSale } from './promotion-rules.ts'
import { computeSaleTotals, readTaxRounding } from './sale-totals.ts'
import type { SkuTaxReader } from './sku-taxes.ts'
import { readUnitsOfMeasure } from './unit-conversion.ts'

interface Sources {
  rpc: Rpc
  abilities: Capabilities
  settings: TrytonSettings
  facts: MerchantFacts
  taxes: SkuTaxReader
}

/** A line at the customer's own price. */
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
  digits: number
}

/** The promotions that a quote is about, and the coupon of each code. */
export interface QuotedPromotions {
  promotions: Promotion[]
  coupons: (CouponRow | null)[]
}

export type PromotionQuotes = ReturnType<typeof createPromotionQuotes>

/** What Tryton's promotions make of prices. It applies them when a sale is quoted, and has no way to ask before: they are counted here. */
export function createPromotionQuotes({ rpc, abilities, settings, facts, taxes }: Sources) {
  const today = () => dateInTimeZone(facts.timeZone, facts.now())
  const parentsOf = createCategoryParentsReader(rpc, () => facts.now().getTime())
  const reader = createPromotionReader(rpc, abilities, settings, today)

  async function offered(codes: readonly string[], party: number, call: Call): Promise<QuotedPromotions> {
    const coupons = await reader.coupons(codes, party, call)
    const ids = coupons.flatMap((coupon) => (coupon ? [coupon['coupon.'].promotion] : []))
    const rows = await reader.promotions([...new Set(ids)], call)
    return { coupons, promotions: rows.map((row) => toPromotion(row, facts.currency)) }
  }

  async function judge(
    { coupons, promotions }: QuotedPromotions,
    buying: PricedCart,
    call: Call,
  ): Promise<PromotionCodeResult> {
    const sold = await soldOf(promotions, buying, call)
    const codes = coupons.map((coupon) => ({
      coupon,
      promotion: promotions.find(({ row }) => row.id === coupon?.['coupon.'].promotion),
    }))
    return applyPromotionCodes(codes, promotions, sold, (line, price) =>
      computeLineDiscount(line, price, buying.digits),
    )
  }

  /** Reads only what the promotions of these goods look at. */
  async function soldOf(
    all: readonly Promotion[],
    { list, lines, ...buying }: PricedCart,
    call: Call,
  ): Promise<PromotionSale> {
    const ids = new Set(lines.map(({ row }) => row.id))
    const rows = all
      .map(({ row }) => row)
      .filter(({ products }) => products.length === 0 || products.some((id) => ids.has(id)))
    const goods = [...new Map(lines.map(({ row }) => [row.id, row])).values()]
    const inUse = rows.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    const [parents, units, bases, sums] = await Promise.all([
      rows.some(({ categories }) => categories.length > 0) ? parentsOf(call) : (new Map() as CategoryParents),
      readUnitsOfMeasure(
        rpc,
        inUse.length === 0 ? [] : [...inUse, ...goods.map((row) => row['default_uom.'].id)],
        call,
      ),
      list && rows.length > 0
        ? readExactContractPrices(rpc, buying.party, list, goods, () => new Decimal(0), call)
        : null,
      rows.some(hasMinimum) ? totalsOf(lines, buying, call) : { untaxed: null, total: null },
    ])
    return {
      ...{ today: today(), priceList: list?.id ?? null, units, ...sums },
      lines: lines.map(({ row, ...line }) => ({
        ...line,
        ...{ product: row.id, unit: row['default_uom.'].id },
        categories: row.categories_all.flatMap((id) => categoryWithAncestors(id, parents)),
        formulaPrice: list ? (bases?.get(row.id) ?? line.price) : row.list_price!.decimal,
      })),
    }
  }

  /** Of the sale without promotions, as Tryton counts it. */
  async function totalsOf(
    lines: readonly PricedCartLine[],
    { customerId, digits }: Pick<PricedCart, 'customerId' | 'digits'>,
    call: Call,
  ) {
    const skus = [...new Set(lines.map(({ sku }) => sku))]
    const [taxed, rounding] = await Promise.all([taxes.of(skus, customerId, call), readTaxRounding(rpc, call)])
    const bySku = new Map(taxed.map((tax) => [tax.sku, tax]))
    const none = { code: '', rate: '0' }
    const rows = lines.map(({ sku, quantity, price }) => ({ quantity, unit_price: price, tax: bySku.get(sku) ?? none }))
    const [byLine, byDocument] = computeSaleTotals(rows, digits)
    const { untaxed, tax } = rounding === 'line' ? byLine! : byDocument!
    const known = skus.every((sku) => bySku.has(sku))
    return { untaxed: new Decimal(untaxed), total: known ? new Decimal(untaxed).plus(tax) : null }
  }

  return { offered, judge }
}

const hasMinimum = ({ amount }: PromotionRow) => amount !== null && !new Decimal(amount.decimal).isZero()

/** An amount in another currency is not compared with anything. */
export function toPromotion(row: PromotionRow, currency: string): Promotion {
  const isForeign = hasMinimum(row) && row['currency.']?.code !== currency
  return { row, formula: isForeign ? null : parsePromotionFormula(row.formula) }
}
