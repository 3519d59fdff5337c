import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCall } from '../../support/create-call.ts'
import { createFinder } from '../../support/odoo/conformance-clerk.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const set = (ids: readonly number[]) => [[6, 0, ids]]

/** Creates taxes of each kind, products with them, fiscal positions that replace them, and a customer for each of those. */
export async function createOdooTaxRecords(rpc: Rpc, mark: string) {
  const find = createFinder(rpc)
  const create = async (model: string, vals: object) =>
    (await rpc.call(Ids, `${model}/create`, { vals_list: [vals] }, createCall()))[0]!
  const country_id = await find('res.country', [['code', '=', 'JM']])
  const tax_group_id = await find('account.tax.group', [['country_id', '=', country_id]])
  let sequence = 10
  const tax = (name: string, amount_type: string, amount: number, more: object = {}, isIncluded = false) => {
    sequence += 1
    const price_include_override = isIncluded ? 'tax_included' : 'tax_excluded'
    const vals = {
      name: `${name} ${mark}`,
      amount_type,
      amount,
      sequence,
      type_tax_use: 'sale',
      price_include_override,
    }
    return create('account.tax', { ...vals, country_id, tax_group_id, ...more })
  }
  const group = (name: string, children: number[]) => tax(name, 'group', 0, { children_tax_ids: set(children) })
  const inGroups = { type_tax_use: 'none' }

  const fee = await tax('Fee', 'fixed', 2.55)
  const base = await tax('Duty', 'fixed', 1.25, { include_base_amount: true })
  const gct = await tax('GCT', 'percent', 15)
  const levy = await tax('Levy', 'percent', 2.35)
  const surtax = await tax('Surtax', 'percent', 7.5, { include_base_amount: true })
  const state = await group('State', [
    await tax('Central', 'percent', 9, inGroups),
    await tax('Local', 'percent', 9, inGroups),
  ])
  const mixed = await group('Mixed', [
    await tax('Part', 'percent', 12.5, inGroups),
    await tax('Each', 'fixed', 3.33, inGroups),
  ])
  const inGct = await tax('GCT in', 'percent', 15, {}, true)
  const inLevy = await tax('Levy in', 'percent', 3.1, {}, true)
  const inFee = await tax('Fee in', 'fixed', 1.15, {}, true)
  const inBase = await tax('Duty in', 'percent', 6.25, { include_base_amount: true }, true)
  const inLast = await tax('Last in', 'percent', 4, {}, true)
  const inGroup = await group('Both in', [
    await tax('One in', 'percent', 7, inGroups, true),
    await tax('Two in', 'percent', 8.25, inGroups, true),
  ])
  const none = await tax('None', 'percent', 0)

  const categ_id = await find('product.category', [['name', '=', 'Parts']])
  const products = new Map<string, number>()
  const sell = async (prefix: string, cases: [number, number[]][]) => {
    const skus = cases.map((_, i) => `${prefix}${i}-${mark}`)
    for (const [i, [list_price, taxes]] of cases.entries()) {
      const vals = { default_code: skus[i], name: skus[i], type: 'service', list_price, categ_id, is_published: true }
      products.set(skus[i]!, await create('product.product', { ...vals, taxes_id: set(taxes) }))
    }
    return skus
  }
  const excluded = await sell('TE', [
    [33.35, [fee]],
    [7.77, [gct, fee]],
    [1234.56, [state]],
    [0.99, [mixed]],
    [19.95, [base, gct]],
    [5.55, [gct, levy]],
    [48.11, [surtax, levy, gct]],
    [3.33, [none]],
    [12.12, [gct]],
  ])
  const included = await sell('TI', [
    [21.53, [inGct]],
    [17.77, [inGct, inFee]],
    [99.99, [inGroup]],
    [41.05, [inBase, inLast]],
    [8.13, [inGct, inLevy]],
    [1150.01, [inFee, inBase, inGct]],
    [64.4, [none]],
  ])
  const partlyIncluded = await sell('TP', [
    [25.5, [inLevy, gct]],
    [310.07, [inBase, levy]],
    [6.66, [inFee, gct, fee]],
  ])

  /** A position replaces each of some taxes by others. In Odoo 19, the new taxes name those that they replace. */
  const position = async (name: string, replaced: [number[], number[]][]) => {
    const id = await create('account.fiscal.position', { name: `${name} ${mark}`, auto_apply: false })
    for (const [originals, news] of replaced)
      for (const one of news)
        await rpc.call(
          Anything,
          'account.tax/write',
          { ids: [one], vals: { fiscal_position_ids: [[4, id]], original_tax_ids: originals.map((old) => [4, old]) } },
          createCall(),
        )
    return id
  }
  const reduced = await tax('Reduced', 'percent', 10)
  const inReduced = await tax('Reduced in', 'percent', 5, {}, true)
  const inEach = await tax('Each in', 'fixed', 0.85, {}, true)
  const positions = [
    false,
    await position('Reduced', [
      [[state, mixed, gct], [reduced]],
      [[inGct, inGroup], [inReduced]],
    ]),
    await position('Other', [
      [[inGct], [inEach]],
      [[fee], [await tax('No fee', 'percent', 0)]],
    ]),
    await position('Untaxed', []),
  ]
  const customers: number[] = []
  for (const [i, property_account_position_id] of positions.entries())
    customers.push(
      await create('res.partner', {
        ...{ name: `Taxed ${i} ${mark}`, is_company: true, street: '1 King Street', city: 'Kingston', country_id },
        property_account_position_id,
      }),
    )
  const promote = (code: string, reward: object) =>
    create('loyalty.program', {
      ...{ name: code, program_type: 'promo_code', trigger: 'with_code', applies_on: 'current' },
      rule_ids: [[5], [0, 0, { mode: 'with_code', code, minimum_qty: 0 }]],
      reward_ids: [[5], [0, 0, { reward_type: 'discount', discount_applicability: 'order', ...reward }]],
    })
  const codes = [`TAX-${mark}`, `LESS-${mark}`]
  const programs = [
    await promote(codes[0]!, { discount_mode: 'percent', discount: 12.34 }),
    await promote(codes[1]!, { discount_mode: 'per_order', discount: 33.33 }),
  ]
  const carried = { name: `Taxed van ${mark}`, type: 'service', sale_ok: false, list_price: 77.77 }
  const product_id = await create('product.product', { ...carried, taxes_id: set([gct, fee]) })
  const carrier = await create('delivery.carrier', {
    name: carried.name,
    product_id,
    delivery_type: 'fixed',
    is_published: true,
  })
  /** Where taxes are rounded over a document, Odoo treats goods with a tax of 0 % as prices without tax. */
  const alwaysIncluded = included.slice(0, -1)
  /** Leaves no offers to other tests. */
  async function archive() {
    const records: [string, number[]][] = [
      ['delivery.carrier', [carrier]],
      ['loyalty.program', programs],
      ['product.product', [...products.values()]],
    ]
    const vals = { active: false }
    for (const [model, ids] of records) await rpc.call(Anything, `${model}/write`, { ids, vals }, createCall())
  }
  return { products, excluded, partlyIncluded, included, alwaysIncluded, customers, codes, archive }
}
