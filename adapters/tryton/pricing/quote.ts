import { Decimal } from 'decimal.js'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { PricingPort, QuotedPromotion, QuoteRequest } from '../../../src/ports/pricing.ts'
import { createAmountFormatter } from '../../amount-format.ts'
import { readContractPrices } from './contract-prices.ts'
import { computeLineDiscount } from './line-discount.ts'
import { parsePartyId } from './party-pricing.ts'
import type { PriceList } from './price-list.ts'
import type { PricedProductRow, PriceReader } from './price-reader.ts'
import type { PromotionCodeResult } from './promotion-codes.ts'
import type { PricedCartLine, PromotionQuotes, QuotedPromotions } from './promotion-quotes.ts'

/**
 * What a cart costs: the customer's own price at the quantity of each SKU, and what Tryton's promotions will make of it when the sale is
 * quoted there. A line of which nobody here can count that has no price.
 */
export function connectQuote(
  reader: PriceReader,
  promotions: PromotionQuotes,
  { currency, now }: MerchantFacts,
): Required<Pick<PricingPort, 'quote'>> {
  const amount = createAmountFormatter(currency)
  const digits = amount('0').split('.')[1]?.length ?? 0

  async function priced(
    { lines }: QuoteRequest,
    rows: readonly PricedProductRow[],
    list: PriceList | null,
    party: number,
    call: Call,
  ) {
    const bySku = new Map(rows.map((row) => [row.code, row]))
    const quantityOf = ({ code }: PricedProductRow) => summed(lines.filter(({ sku }) => sku === code))
    const own = list && (await readContractPrices(reader.rpc, party, list, rows, quantityOf, call))
    return lines.flatMap((line): PricedCartLine[] => {
      const row = bySku.get(line.sku)
      const price = row && (own ? own.get(row.id) : row.list_price!.decimal)
      return row && price !== undefined ? [{ ...line, row, price: amount(price) }] : []
    })
  }

  function promotionsOf(
    codes: readonly string[],
    { coupons, promotions }: QuotedPromotions,
    judged: PromotionCodeResult,
    offs: Offs,
  ): QuotedPromotion[] {
    return codes.map((typed, i) => {
      const coupon = coupons[i]
      const code = coupon?.number ?? typed.trim().slice(0, 128)
      const reason = judged.reasons[i]!
      if (reason !== null)
        return { ...{ code, status: 'NOT_APPLICABLE', reason, description: null }, discount: amount('0') }
      const { row } = promotions.find(({ row }) => row.id === coupon!['coupon.'].promotion)!
      const own = offs.filter(({ promotion }) => promotion === row.id).map(({ off }) => off)
      const discount = amount(Decimal.sum(0, ...own).toFixed())
      return { ...{ code, status: 'APPLIED', reason: null, description: row.name }, discount }
    })
  }

  return {
    async quote(question, call) {
      const { customerId, codes } = question
      const party = parsePartyId(customerId)
      const skus = [...new Set(question.lines.map(({ sku }) => sku))]
      const [rows, list, offered] = await Promise.all([
        reader.rows(skus, call),
        reader.listOf(party, call),
        promotions.offered(codes, party, call),
      ])
      const lines = await priced(question, rows, list, party, call)
      const judged = await promotions.judge(offered, { customerId, party, list, lines, digits }, call)
      const { prices, doubtful } = judged.promoted
      const offs = lines.map((line) => {
        const last = prices.get(line.line_id)!
        return { line, promotion: last.promotion, off: computeLineDiscount(line, last.price, digits) }
      })
      return {
        lines: offs.flatMap(({ line: { line_id, sku, row, price }, off }) => {
          if (doubtful.has(line_id)) return []
          return {
            ...{ line_id, sku, unit_price: price, list_unit_price: amount(row.list_price!.decimal) },
            ...{ price_type: list ? 'CONTRACT' : 'LIST', tax_included: false, discount: amount(off.toFixed()) },
          }
        }),
        promotions: promotionsOf(codes, offered, judged, offs),
        as_of: now().toISOString(),
      }
    },
  }
}

type Offs = readonly { promotion: number | null; off: Decimal }[]

const summed = (lines: readonly { quantity: string }[]) => Decimal.sum(0, ...lines.map(({ quantity }) => quantity))
