import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'
import { type ChangeStamp, createChangeFeed, latestStampPerId } from '../../change-feed.ts'
import { OdooDatetime, OdooId, OdooLink, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'

const Products = foundShape(Type.Object({ id: OdooId, default_code: Type.String(), write_date: OdooDatetime }))
const Rules = foundShape(
  Type.Object({
    id: OdooId,
    applied_on: Type.String(),
    categ_id: OdooLink,
    product_tmpl_id: OdooLink,
    product_id: OdooLink,
    write_date: OdooDatetime,
  }),
)
const ruleSpecification = { applied_on: {}, categ_id: {}, product_tmpl_id: {}, product_id: {}, write_date: {} }

/**
 * Creates the change feed of prices. A SKU changes when its product or a rule for it is written. A price list based on
 * another list or on categories applies to many SKUs: all of them change. A deleted rule leaves no trace.
 */
export function createPriceChangeFeed(context: OdooContext): Required<PricingPort>['priceChanges'] {
  const { rpc } = context

  async function readProducts(domain: unknown[], call: Call) {
    const search = {
      domain: [...context.onSaleDomain, ...domain],
      specification: { default_code: {}, write_date: {} },
    }
    return readAll(rpc, Products, 'product.product', search, call)
  }

  async function readStamps(since: number, call: Call): Promise<ChangeStamp<string>[]> {
    const written = ['write_date', '>=', toFirstOdooSecond(since)]
    const [products, rules] = await Promise.all([
      context.productWrites.readPriced(since, call),
      rpc.search(Rules, 'product.pricelist.item', { domain: [written], specification: ruleSpecification }, call),
    ])
    const own = products.map((row) => ({ id: row.default_code, at: toEpochMs(row.write_date) }))
    // Rules of one kind are applied together, with the time of the latest one: no change gets too early a time.
    const groups = Map.groupBy(rules.records, ({ applied_on }) => applied_on)
    const ruled = await Promise.all(
      [...groups].map(async ([kind, group]) => {
        const at = Math.max(...group.map(({ write_date }) => toEpochMs(write_date)))
        return (await readProducts(toProductDomain(kind, group), call)).map((row) => ({ id: row.default_code, at }))
      }),
    )
    return latestStampPerId([...own, ...ruled.flat()])
  }

  return createChangeFeed(
    context.nowMs,
    {
      readStamps,
      loadRows: async (stamps) => stamps.map(({ id, at }) => ({ sku: id, updated_at: new Date(at).toISOString() })),
    },
    MAX_RECORDS,
  )
}

type RuleTarget = { categ_id: number | false; product_tmpl_id: number | false; product_id: number | false }

function toProductDomain(kind: string, rules: readonly RuleTarget[]): unknown[] {
  const idsOf = (field: keyof RuleTarget) => [...new Set(rules.flatMap((rule) => rule[field] || []))]
  if (kind === '2_product_category') return [['categ_id', 'child_of', idsOf('categ_id')]]
  if (kind === '1_product') return [['product_tmpl_id', 'in', idsOf('product_tmpl_id')]]
  return kind === '0_product_variant' ? [['id', 'in', idsOf('product_id')]] : []
}
