import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'
import { type ChangeStamp, createChangeFeed, latestStampPerId } from '../../change-feed.ts'
import {
  emptyOr,
  OdooDatetime,
  OdooId,
  OdooLink,
  toEpochMs,
  toFirstOdooSecond,
  toOdooDatetime,
} from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'

const SECOND_MS = 1_000

const Products = foundShape(Type.Object({ id: OdooId, default_code: Type.String(), write_date: OdooDatetime }))
const Rules = foundShape(
  Type.Object({
    id: OdooId,
    applied_on: Type.String(),
    categ_id: OdooLink,
    product_tmpl_id: OdooLink,
    product_id: OdooLink,
    date_start: emptyOr(OdooDatetime),
    date_end: emptyOr(OdooDatetime),
    write_date: OdooDatetime,
  }),
)
const ruleSpecification = Object.fromEntries(
  ['applied_on', 'categ_id', 'product_tmpl_id', 'product_id', 'date_start', 'date_end', 'write_date'].map((field) => [
    field,
    {},
  ]),
)

/**
 * Creates the change feed of prices. A SKU changes when its product or a rule for it is written, and when a rule begins or ends. A price list based on
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
    const now = context.nowMs()
    const [products, rules] = await Promise.all([
      context.productWrites.readPriced(since, call),
      rpc.search(
        Rules,
        'product.pricelist.item',
        { domain: changedRuleDomain(since, now), specification: ruleSpecification },
        call,
      ),
    ])
    // A mirror reads the prices of these changes next.
    if (rules.records.length > 0) context.priceLists.forget()
    const own = products.map((row) => ({ id: row.default_code, at: toEpochMs(row.write_date) }))
    // Rules of one kind are applied together, with the time of the latest one: no change gets too early a time.
    const groups = Map.groupBy(rules.records, ({ applied_on }) => applied_on)
    const ruled = await Promise.all(
      [...groups].map(async ([kind, group]) => {
        const at = Math.max(...group.map((rule) => ruleChangedAt(rule, now)))
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

/** Returns the domain of the rules that were written, began or ended since a time. */
function changedRuleDomain(since: number, now: number): unknown[] {
  const between = (field: string, from: number, to: number) => [
    '&',
    [field, '>=', toFirstOdooSecond(from)],
    [field, '<=', toOdooDatetime(to)],
  ]
  return [
    ...['|', ['write_date', '>=', toFirstOdooSecond(since)]],
    ...['|', ...between('date_start', since, now)],
    ...between('date_end', since - SECOND_MS, now - SECOND_MS),
  ]
}

/** Returns the latest time at which a rule was written, began or ended. It still applies in the second of its end. */
export function ruleChangedAt(
  { write_date, date_start, date_end }: { write_date: string; date_start: string | false; date_end: string | false },
  now: number,
): number {
  const times = [
    toEpochMs(write_date),
    ...(date_start ? [toEpochMs(date_start)] : []),
    ...(date_end ? [toEpochMs(date_end) + SECOND_MS] : []),
  ]
  return Math.max(toEpochMs(write_date), ...times.filter((time) => time <= now))
}

type RuleTarget = { categ_id: number | false; product_tmpl_id: number | false; product_id: number | false }

function toProductDomain(kind: string, rules: readonly RuleTarget[]): unknown[] {
  const idsOf = (field: keyof RuleTarget) => [...new Set(rules.flatMap((rule) => rule[field] || []))]
  if (kind === '2_product_category') return [['categ_id', 'child_of', idsOf('categ_id')]]
  if (kind === '1_product') return [['product_tmpl_id', 'in', idsOf('product_tmpl_id')]]
  return kind === '0_product_variant' ? [['id', 'in', idsOf('product_id')]] : []
}
