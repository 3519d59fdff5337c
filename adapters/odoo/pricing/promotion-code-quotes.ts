import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { QuotedLine, QuoteRequest } from '../../../src/ports/pricing.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { escapeLike } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { type AppliedCodes, applyPromotionCodes, type CartCode } from './apply-promotion-codes.ts'
import { convertMixedCart } from './convert-mixed-cart.ts'
import type { Pricing } from './price-reader.ts'
import {
  discountedDomain,
  type Promotion,
  PromotionRule,
  promotionSpecification,
  ruledDomain,
  toPromotion,
} from './promotion-rules.ts'
import { addTaxAmounts, quoteLines } from './quote-lines.ts'
import { computeTaxes } from './tax-amounts.ts'

const Rules = foundShape(PromotionRule)
const Ids = responseSchema(Type.Array(Type.Integer()))
const MAX_CODE_LENGTH = 128

export interface PromotedRequest {
  lines: QuoteRequest['lines']
  codes: readonly string[]
}

/** Prices lines with promotion codes. Without codes, it makes no call. */
export type PromotionQuotes = (request: PromotedRequest, pricing: Pricing, call: Call) => Promise<AppliedCodes>

type Context = Pick<OdooContext, 'rpc' | 'settings' | 'facts' | 'formatAmount'>

export function createPromotionQuotes({ rpc, settings, facts, formatAmount }: Context): PromotionQuotes {
  /** Reads the rules of codes in any case. */
  async function readRules(codes: readonly string[], call: Call): Promise<PromotionRule[]> {
    const spellings = codes.map((code) => ['code', '=ilike', escapeLike(code)])
    const domain = [
      ['mode', '=', 'with_code'],
      ['program_id.active', '=', true],
      ['program_id.sale_ok', '=', true],
      ['program_id.company_id', 'in', [false, settings.company ?? 1]],
      ...spellings.slice(1).map(() => '|'),
      ...spellings,
    ]
    try {
      const search = { domain, specification: promotionSpecification, order: 'id' }
      return (await rpc.search(Rules, 'loyalty.rule', search, call)).records
    } catch (error) {
      // Without the module, there are no codes.
      if (error instanceof UpstreamError && error.failure === 'not_configured') return []
      throw error
    }
  }

  /** Returns the SKUs of a cart that a domain has. */
  async function readSkus(domain: unknown[] | null, products: Pricing['products'], call: Call): Promise<Set<string>> {
    if (domain === null || products.length === 0) return new Set(products.map(({ sku }) => sku))
    const own = ['id', 'in', products.map(({ productId }) => productId)]
    const found = new Set(await rpc.call(Ids, 'product.product/search', { domain: [own, ...domain] }, call))
    return new Set(products.filter(({ productId }) => found.has(productId)).map(({ sku }) => sku))
  }

  const readPromotion = async (promotion: Promotion, { products }: Pricing, call: Call) => {
    const [ruledSkus, discountedSkus] = await Promise.all([
      readSkus(ruledDomain(promotion), products, call),
      readSkus(discountedDomain(promotion), products, call),
    ])
    return { ...promotion, ruledSkus, discountedSkus }
  }

  async function readCodes(typed: readonly string[], pricing: Pricing, call: Call): Promise<CartCode[]> {
    const codes = typed.map((code) => code.trim().slice(0, MAX_CODE_LENGTH))
    const wanted = [...new Set(codes.filter((code) => code !== ''))]
    const rules = wanted.length === 0 ? [] : await readRules(wanted, call)
    const promotions = await Promise.all(
      rules.map(async (rule) => {
        const promotion = toPromotion(rule, { currency: facts.currency, keepsUnitPrices: rpc.hasJson2() })
        return [rule.code, promotion && (await readPromotion(promotion, pricing, call))] as const
      }),
    )
    // Odoo itself tells codes apart by their case.
    const find = (code: string) =>
      promotions.find(([own]) => own === code) ?? promotions.find(([own]) => own.toUpperCase() === code.toUpperCase())
    return codes.map((code) => ({ code, promotion: find(code)?.[1] ?? null }))
  }

  return async ({ lines, codes }, pricing, call) => {
    const quantities = new Map(lines.map(({ line_id, quantity }) => [line_id, quantity]))
    const quoted = quoteLines(lines, pricing.products, formatAmount('0'))
    const taxed = addTaxAmounts(quoted, quantities, new Map(), pricing)
    const convert = (applied: AppliedCodes) => convertMixedCart(applied, quantities, pricing)
    if (codes.length === 0) return convert({ lines: taxed, promotions: [], percents: new Map(), unitPrices: new Map() })
    const applied = applyPromotionCodes(await readCodes(codes, pricing, call), {
      lines: taxed.map((line) => {
        const quantity = quantities.get(line.line_id)!
        return { ...line, quantity, net: mixedTaxNet(line, quantity, pricing) }
      }),
      priceListId: pricing.priceListId,
      today: dateInTimeZone(facts.timeZone, facts.now()),
      rounding: pricing.rounding,
      formatAmount,
    })
    return convert({
      ...applied,
      lines: addTaxAmounts(applied.lines, quantities, applied.percents, pricing, applied.unitPrices),
    })
  }
}

/** Returns the amount without tax of a line whose price includes only some of its taxes. */
function mixedTaxNet({ sku, unit_price }: QuotedLine, quantity: string, { products, rounding }: Pricing) {
  const tax = products.find((product) => product.sku === sku)?.tax
  if (!tax?.isMixed) return undefined
  const round = (amount: Decimal) => amount.toDecimalPlaces(rounding.digits, Decimal.ROUND_HALF_UP)
  return round(
    computeTaxes(tax.terms, new Decimal(unit_price), quantity, rounding.isGlobal ? (amount) => amount : round).net,
  )
}
