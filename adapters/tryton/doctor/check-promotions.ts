import type { Finding } from '../../../src/ports/adapter.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { toPromotion } from '../pricing/promotion-quotes.ts'
import { createPromotionReader, type PromotionRow } from '../pricing/promotion-reader.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { type CheckContext, createFinding, formatNameList, hasAnySystem } from './check.ts'

const REMEDY =
  'Write the formula with + - * / ( ) unit_price, numbers, Decimal("0.9"), quantize, min and max alone, and its amount in the currency of the shop'

/** Promotions, open or to come, that nobody here can count. */
export async function checkPromotions(looker: CheckContext): Promise<Finding[]> {
  const { rpc, settings, facts, call } = looker
  if (!hasAnySystem(looker, 'pricing', 'accounting')) return []
  const abilities = createCapabilities(rpc, () => facts.now().getTime())
  const today = () => dateInTimeZone(facts.timeZone, facts.now())
  const rows = await createPromotionReader(rpc, abilities, settings, today).promotions('all', call())
  const unread = rows.filter((row) => toPromotion(row, facts.currency).formula === null)
  const [coded, open] = [unread.filter(hasCodes), unread.filter((row) => !hasCodes(row))]
  const named = (own: readonly PromotionRow[]) =>
    formatNameList(own.map(({ name, formula }) => `"${name}" (${formula})`))
  const goods = 'cannot be counted: the goods that they are for have no price in the storefront'
  const codes = 'cannot be counted: their codes are not known in the storefront'
  return [
    ...(open.length === 0
      ? []
      : [createFinding('error', 'promotion_unread', `Promotions ${goods}: ${named(open)}`, REMEDY)]),
    ...(coded.length === 0
      ? []
      : [createFinding('warning', 'promotion_code_unread', `Promotions ${codes}: ${named(coded)}`, REMEDY)]),
  ]
}

const hasCodes = ({ coupons = [] }: PromotionRow) => coupons.length > 0
