import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Abilities } from '../client/capabilities.ts'
import { exactPricesAt } from './contract-prices.ts'
import { dayIn } from '../time-zone.ts'
import { takenOff } from './line-discount.ts'
import { categoryParents, lineage, type Parents, type PriceList } from './price-list.ts'
import type { PricedRow } from './price-reader.ts'
import { type Judged, judged } from './promotion-codes.ts'
import { formulaOf } from './promotion-formula.ts'
import { type CouponRow, type PromotionRow, promotionReader } from './promotion-reader.ts'
import type { Promotion, Sold } from './promotion-rules.ts'
import type { Rpc } from '../client/rpc.ts'
import type { TrytonSettings } from '../settings.ts'
import type { SkuTaxes } from './sku-taxes.ts'
import { readTaxRounding, trytonTotals } from './sale-totals.ts'
import { readUnits } from './unit-conversion.ts'

interface Sources {
  rpc: Rpc
  abilities: Abilities
  settings: TrytonSettings
  facts: MerchantFacts
  taxes: SkuTaxes
}

/** A line at the customer's own price. */
export interface PricedLine {
  line_id: string
  sku: string
  quantity: string
  row: PricedRow
  price: string
}

export interface Buying {
  customerId: string
  party: number
  list: PriceList | null
  lines: readonly PricedLine[]
  digits: number
}

/** The promotions that a quote is about, and the coupon of each code. */
export interface Offered {
  promotions: Promotion[]
  coupons: (CouponRow | null)[]
}

export type PromotionQuotes = ReturnType<typeof promotionQuotes>

/** What Tryton's promotions make of prices. It applies them when a sale is quoted, and has no way to ask before: they are counted here. */
export function promotionQuotes({ rpc, abilities, settings, facts, taxes }: Sources) {
  const today = () => dayIn(facts.timeZone, facts.now())
  const parentsOf = categoryParents(rpc, () => facts.now().getTime())
  const reader = promotionReader(rpc, abilities, settings, today)

  async function offered(codes: readonly string[], party: number, call: Call): Promise<Offered> {
    const coupons = await reader.coupons(codes, party, call)
    const ids = coupons.flatMap((coupon) => (coupon ? [coupon['coupon.'].promotion] : []))
    const rows = await reader.promotions([...new Set(ids)], call)
    return { coupons, promotions: rows.map((row) => promotionOf(row, facts.currency)) }
  }

  async function judge({ coupons, promotions }: Offered, buying: Buying, call: Call): Promise<Judged> {
    const sold = await soldOf(promotions, buying, call)
    const codes = coupons.map((coupon) => ({
      coupon,
      promotion: promotions.find(({ row }) => row.id === coupon?.['coupon.'].promotion),
    }))
    return judged(codes, promotions, sold, (line, price) => takenOff(line, price, buying.digits))
  }

  /** Reads only what the promotions of these goods look at. */
  async function soldOf(all: readonly Promotion[], { list, lines, ...buying }: Buying, call: Call): Promise<Sold> {
    const ids = new Set(lines.map(({ row }) => row.id))
    const rows = all
      .map(({ row }) => row)
      .filter(({ products }) => products.length === 0 || products.some((id) => ids.has(id)))
    const goods = [...new Map(lines.map(({ row }) => [row.id, row])).values()]
    const inUse = rows.flatMap(({ unit }) => (unit === null ? [] : [unit]))
    const [parents, units, bases, sums] = await Promise.all([
      rows.some(({ categories }) => categories.length > 0) ? parentsOf(call) : (new Map() as Parents),
      readUnits(rpc, inUse.length === 0 ? [] : [...inUse, ...goods.map((row) => row['default_uom.'].id)], call),
      list && rows.length > 0 ? exactPricesAt(rpc, buying.party, list, goods, () => new Decimal(0), call) : null,
      rows.some(hasMinimum) ? totalsOf(lines, buying, call) : { untaxed: null, total: null },
    ])
    return {
      ...{ today: today(), priceList: list?.id ?? null, units, ...sums },
      lines: lines.map(({ row, ...line }) => ({
        ...line,
        ...{ product: row.id, unit: row['default_uom.'].id },
        categories: row.categories_all.flatMap((id) => lineage(id, parents)),
        formulaPrice: list ? (bases?.get(row.id) ?? line.price) : row.list_price!.decimal,
      })),
    }
  }

  /** Of the sale without promotions, as Tryton counts it. */
  async function totalsOf(
    lines: readonly PricedLine[],
    { customerId, digits }: Pick<Buying, 'customerId' | 'digits'>,
    call: Call,
  ) {
    const skus = [...new Set(lines.map(({ sku }) => sku))]
    const [taxed, rounding] = await Promise.all([taxes.of(skus, customerId, call), readTaxRounding(rpc, call)])
    const bySku = new Map(taxed.map((tax) => [tax.sku, tax]))
    const none = { code: '', rate: '0' }
    const rows = lines.map(({ sku, quantity, price }) => ({ quantity, unit_price: price, tax: bySku.get(sku) ?? none }))
    const [byLine, byDocument] = trytonTotals(rows, digits)
    const { untaxed, tax } = rounding === 'line' ? byLine! : byDocument!
    const known = skus.every((sku) => bySku.has(sku))
    return { untaxed: new Decimal(untaxed), total: known ? new Decimal(untaxed).plus(tax) : null }
  }

  return { offered, judge }
}

const hasMinimum = ({ amount }: PromotionRow) => amount !== null && !new Decimal(amount.decimal).isZero()

/** An amount in another currency is not compared with anything. */
export function promotionOf(row: PromotionRow, currency: string): Promotion {
  const isForeign = hasMinimum(row) && row['currency.']?.code !== currency
  return { row, formula: isForeign ? null : formulaOf(row.formula) }
}
