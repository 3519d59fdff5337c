import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { toTrytonDecimal } from '../../../adapters/tryton/client/tryton-values.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import type { PromotionCase } from './tryton-promotion-cases.ts'
import { trytonSeriesDifferences } from './tryton-series-differences.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))
const Anything = responseSchema(Type.Unknown())
const Decimals = Type.Object({ decimal: Type.String() })
const PriceBeforePromotions = Type.Optional(Type.Union([Decimals, Type.Null()]))
const Lines = responseSchema(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      unit_price: Decimals,
      draft_unit_price: PriceBeforePromotions,
      original_unit_price: PriceBeforePromotions,
      sequence: Type.Integer(),
    }),
  ),
)
const Head = Type.Record(Type.String(), Type.Unknown())
/** A list of one up to some series of Tryton, and the values themselves in later ones. */
const Heads = responseSchema(Type.Union([Type.Array(Head), Head]))

export interface SoldLine {
  sku: string
  quantity: string
  unit_price: string
  taxed: boolean
}

/** The actions of staff on promotions and on a sale of their own. */
export function createPromotionActions(rpc: Rpc) {
  const find = async (model: string, ...domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, [['id', 'ASC']]], createCallWithLongDeadline()))[0]!
  const act = (method: string, ...params: unknown[]) => rpc(Anything, method, params, createCallWithLongDeadline())
  const product = (sku: string) => find('product.product', ['code', '=', sku])

  async function promote(one: PromotionCase['promotions'][number]): Promise<number> {
    const { formula, code, skus, category, minimum, quantity, forTrade } = one
    const products = await Promise.all(skus.map(product))
    const categories = category ? [await find('product.category', ['name', '=', category])] : []
    const values = {
      name: `Case ${code ?? 'for all'}`,
      company: 1,
      formula,
      products: [['add', products]],
      categories: [['add', categories]],
      ...(minimum && { amount: toTrytonDecimal(minimum.amount), untaxed_amount: minimum.untaxed, currency: 1 }),
      ...(quantity && { quantity, unit: await find('product.uom', ['name', '=', 'Unit']) }),
      ...(forTrade && { price_list: await find('product.price_list', ['name', '=', 'Trade']) }),
    }
    const [id] = await rpc(Ids, 'sale.promotion.create', [[values]], createCallWithLongDeadline())
    if (code !== null) {
      const name = trytonSeriesDifferences().namesCoupons && { name: code }
      const coupon = { ...name, promotion: id, number_of_use: 0, numbers: [['create', [{ number: code }]]] }
      await act('sale.promotion.coupon.create', [coupon])
    }
    return id!
  }

  return {
    promote,
    /** Returns the prices of a quoted sale, which is then deleted; for promoted lines those before promotions too. */
    async quoted(party: number, lines: readonly SoldLine[], codes: readonly string[]) {
      const heads = await rpc(
        Heads,
        'sale.sale.on_change',
        [{ party, company: 1, lines: [] }, ['party']],
        createCallWithLongDeadline(),
      )
      const head: Record<string, unknown> = (Array.isArray(heads) ? heads[0] : heads) ?? {}
      const { invoice_address, shipment_address, payment_term, price_list } = head
      const coupons = await Promise.all(
        codes.map((code) => find('sale.promotion.coupon.number', ['number', '=', code])),
      )
      const made = await Promise.all(
        lines.map(async ({ sku, quantity, unit_price, taxed }, sequence) => {
          const unit = await find('product.uom', ['symbol', '=', sku.startsWith('OIL') ? 'l' : 'u'])
          const goods = { type: 'line', sequence, product: await product(sku), unit, description: sku }
          const money = { unit_price: toTrytonDecimal(unit_price), taxes: [['add', taxed ? [1] : []]] }
          return { ...goods, quantity: Number(quantity), ...money }
        }),
      )
      const fallback = { invoice_address: invoice_address ?? 1, shipment_address: shipment_address ?? 1 }
      const values = {
        party,
        ...fallback,
        payment_term,
        price_list,
        coupons: [['add', coupons]],
        // The default needs a carrier from 7.x on.
        shipment_cost_method: null,
        lines: [['create', made]],
      }
      const [sale] = await rpc(Ids, 'sale.sale.create', [[values]], createCallWithLongDeadline())
      try {
        await act('sale.sale.quote', [sale])
        const fields = ['unit_price', trytonSeriesDifferences().priceBeforePromotions, 'sequence']
        const read = [[['sale', '=', sale]], 0, null, [['sequence', 'ASC']], fields]
        const rows = await rpc(Lines, 'sale.line.search_read', read, createCallWithLongDeadline())
        return rows.map(({ unit_price, original_unit_price, draft_unit_price }) => ({
          price: unit_price.decimal,
          priceBefore: (original_unit_price ?? draft_unit_price ?? unit_price).decimal,
        }))
      } finally {
        await act('sale.sale.cancel', [sale])
        await act('sale.sale.delete', [sale])
      }
    },
    async withdraw(promotions: readonly number[]) {
      const coupons = await rpc(
        Ids,
        'sale.promotion.coupon.search',
        [[['promotion', 'in', promotions]], 0, null, null],
        createCallWithLongDeadline(),
      )
      const numbers = await rpc(
        Ids,
        'sale.promotion.coupon.number.search',
        [[['coupon', 'in', coupons]], 0, null, null],
        createCallWithLongDeadline(),
      )
      if (numbers.length > 0) await act('sale.promotion.coupon.number.delete', numbers)
      if (coupons.length > 0) await act('sale.promotion.coupon.delete', coupons)
      if (promotions.length > 0) await act('sale.promotion.delete', promotions)
    },
  }
}
