import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import {
  type CategoryParents,
  categoryWithAncestors,
  createCategoryParentsReader,
} from '../catalog/category-parents.ts'
import type { Capabilities } from '../client/capabilities.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { applyPromotionCodes, type PromotionCodeResult } from './apply-promotion-codes.ts'
import type { Promotion, PromotionSale } from './apply-promotions.ts'
import { readExactContractPrices } from './contract-prices.ts'
import { computeLineDiscount } from './line-price.ts'
import type { PriceList } from './price-list.ts'
import type { PricedProductRow } from './price-reader.ts'
import { parsePromotionFormula } from './promotion-formula.ts'
import { type CouponRow, createPromotionReader, type PromotionRow } from './promotion-reader.ts'
import { computeSaleTotals, readTaxRounding } from './sale-totals.ts'
import type { SkuTaxReader } from './sku-taxes.ts'
import { readUnitsOfMeasure } from './unit-conversion.ts'

interface Sources {
  rpc: Rpc
  capabilities: Capabilities
  settings: TrytonSettings
  facts: MerchantFacts
  taxes: SkuTaxReader
}

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
  digits: number
}

/** The promotions of a quote, and the coupon of each code. */
export interface QuotedPromotions {
  promotions: Promotion[]
  coupons: (CouponRow | null)[]
}

export type PromotionQuotes = ReturnType<typeof createPromotionQuotes>

/**
 * Computes the effect of Tryton's promotions on prices. Tryton applies them when a sale is quoted and cannot preview
 * them, so they are computed here.
 */
export function createPromotionQuotes({ rpc, capabilities, settings, facts, taxes }: Sources) {
  const todayInMerchantZone = () => dateInTimeZone(facts.timeZone, facts.now())
  const readCategoryParents = createCategoryParentsReader(rpc, () => facts.now().getTime())
  const reader = createPromotionReader(rpc, capabilities, settings, todayInMerchantZone)

  async function readPromotions(codes: readonly string[], party: number, call: Call): Promise<QuotedPromotions> {
    const coupons = await reader.readCoupons(codes, party, call)
    const ids = coupons.flatMap((coupon) => (coupon ? [coupon['coupon.'].promotion] : []))
    const rows = await reader.readPromotions([...new Set(ids)], call)
    return { coupons, promotions: rows.map((row) => toPromotion(row, facts.currency)) }
  }

  async function applyCodes(
    { coupons, promotions }: QuotedPromotions,
    cart: PricedCart,
    call: Call,
  ): Promise<PromotionCodeResult> {
    const sale = await readSale(promotions, cart, call)
    const codes = coupons.map((coupon) => ({
      coupon,
      promotion: promotions.find(({ row }) => row.id === coupon?.['coupon.'].promotion),
    }))
    return applyPromotionCodes(codes, promotions, sale, (line, price) => computeLineDiscount(line, price, cart.digits))
  }

  /** Reads the parts of the sale that these promotions depend on. */
  async function readSale(
    promotions: readonly Promotion[],
    { list: priceList, lines, ...cart }: PricedCart,
    call: Call,
  ): Promise<PromotionSale> {
    const ids = new Set(lines.map(({ row }) => row.id))
    const rows = promotions
      .map(({ row }) => row)
      .filter(({ products }) => products.length === 0 || products.some((id) => ids.has(id)))
    const products = [...new Map(lines.map(({ row }) => [row.id, row])).values()]
    const unitIds = rows.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    const [parents, units, formulaPrices, totals] = await Promise.all([
      rows.some(({ categories }) => categories.length > 0) ? readCategoryParents(call) : (new Map() as CategoryParents),
      readUnitsOfMeasure(
        rpc,
        unitIds.length === 0 ? [] : [...unitIds, ...products.map((row) => row['default_uom.'].id)],
        call,
      ),
      priceList && rows.length > 0
        ? readExactContractPrices(rpc, cart.party, priceList, products, () => new Decimal(0), call)
        : null,
      rows.some(hasMinimum) ? readTotals(lines, cart, call) : { untaxed: null, total: null },
    ])
    return {
      today: todayInMerchantZone(),
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

  /** Computes the totals of the sale without promotions, as Tryton does. */
  async function readTotals(
    lines: readonly PricedCartLine[],
    { customerId, digits }: Pick<PricedCart, 'customerId' | 'digits'>,
    call: Call,
  ) {
    const skus = [...new Set(lines.map(({ sku }) => sku))]
    const [skuTaxes, rounding] = await Promise.all([
      taxes.readTaxes(skus, customerId, call),
      readTaxRounding(rpc, call),
    ])
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

  return { readPromotions, applyCodes }
}

const hasMinimum = ({ amount }: PromotionRow) => amount !== null && !new Decimal(amount.decimal).isZero()

/** Returns a promotion with its formula. One whose minimum is in another currency cannot be computed. */
export function toPromotion(row: PromotionRow, currency: string): Promotion {
  const isForeign = hasMinimum(row) && row['currency.']?.code !== currency
  return { row, formula: isForeign ? null : parsePromotionFormula(row.formula) }
}
