import { type Static, Type } from 'typebox'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import { createCachedTableLoader } from '../../cached-table-loader.ts'
import { OdooId } from '../client/odoo-values.ts'
import type { OptionalFieldReader } from '../client/optional-field-reader.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import type { Company } from '../company-reader.ts'
import type { OdooSettings } from '../settings.ts'

const MAX_AGE_MS = 60_000

const Websites = foundShape(Type.Object({ id: OdooId }))
const List = Type.Object({
  id: OdooId,
  currency_id: Type.Object({ id: OdooId, name: Type.String() }),
  country_group_ids: Type.Array(
    Type.Object({ id: OdooId, country_ids: Type.Array(Type.Object({ id: OdooId, code: Type.String() })) }),
  ),
})
export type WebsitePriceList = Static<typeof List>
const Lists = foundShape(List)
const specification = {
  currency_id: { fields: { name: {} } },
  country_group_ids: { fields: { country_ids: { fields: { code: {} } } } },
}

interface Context {
  rpc: Rpc
  settings: OdooSettings
  facts: MerchantFacts
  nowMs(): number
  readOptionalFields: OptionalFieldReader
  readCompany(call: Call): Promise<Company>
}

/**
 * Returns a reader of the price list that Odoo's website shows to visitors who have not signed in, which is kept for a minute. `null`: the
 * sales prices count, because there is no website or it has no list.
 */
export function createWebsitePriceListReader(context: Context) {
  const { rpc, settings, facts, nowMs, readOptionalFields, readCompany } = context
  const company = settings.company ?? 1

  async function load(call: Call): Promise<number | null> {
    // The module for the shop of the website adds it.
    if (!(await readOptionalFields('product.product', call)).has('is_published')) return null
    const ofCompany = { domain: [['company_id', '=', company]], specification: {}, limit: 1 }
    const [{ records: websites }, { countryCode }] = await Promise.all([
      rpc.search(Websites, 'website', ofCompany, call),
      readCompany(call),
    ])
    if (!websites[0]) return null
    const domain = [
      ['company_id', 'in', [false, company]],
      ...['|', ['website_id', '=', websites[0].id]],
      ...['&', ['website_id', '=', false]],
      ...['|', ['selectable', '=', true], ['code', '!=', false]],
    ]
    const { records } = await rpc.search(Lists, 'product.pricelist', { domain, specification }, call)
    return chooseWebsitePriceList(records, countryCode, facts.currency)
  }
  return createCachedTableLoader(load, { maxAgeMs: MAX_AGE_MS, now: nowMs })
}

/** Chooses as Odoo does: the first list for the country, or the first one for all countries, or the first one. */
export function chooseWebsitePriceList(
  lists: readonly WebsitePriceList[],
  countryCode: string,
  currency: string,
): number | null {
  const own = lists.filter(({ currency_id }) => currency_id.name === currency)
  const isFor = ({ country_group_ids }: WebsitePriceList) =>
    country_group_ids.some(({ country_ids }) => country_ids.some(({ code }) => code === countryCode))
  const chosen = own.find(isFor) ?? own.find(({ country_group_ids }) => country_group_ids.length === 0) ?? own[0]
  return chosen?.id ?? null
}
