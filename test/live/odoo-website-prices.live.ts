import { expect } from 'chai'
import { Type } from 'typebox'
import { createHttpClient } from '../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createCall } from '../support/create-call.ts'
import { createFinder } from '../support/odoo/conformance-clerk.ts'
import { connectOdooClerk, connectOdooPorts } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
const Products = responseSchema(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      default_code: Type.String(),
      product_tmpl_id: Type.Tuple([Type.Integer(), Type.String()]),
    }),
  ),
)
const Shown = responseSchema(Type.Object({ result: Type.Object({ price: Type.Number() }) }))
const QUANTITIES = [1, 5, 12]
const SINCE_MS = 60_000

/** Holds the prices of anonymous shoppers against those that the website of a real Odoo shows its visitors. */
describe('odoo: prices on the website of a real server', function () {
  this.timeout(600_000)
  const { storefront, clerk } = odooAccess()
  const desk = connectOdooClerk(clerk)
  const find = createFinder(desk.rpc)
  let list: number
  after(async () => {
    await desk.rpc.call(Anything, 'product.pricelist/write', { ids: [list], vals: { active: false } }, createCall())
    await desk.close()
  })

  it('are those of its first price list', async () => {
    const create = (model: string, vals: object) =>
      desk.rpc.call(Ids, `${model}/create`, { vals_list: [vals] }, createCall())
    const website_id = await find('website', [])
    const categ_id = await find('product.category', [['name', '=', 'Filters']])
    const known = {
      domain: [
        ['default_code', '=like', 'GEN-0%'],
        ['is_published', '=', true],
      ],
      limit: 40,
      order: 'id',
    }
    const fields = ['default_code', 'product_tmpl_id']
    const products = await desk.rpc.call(Products, 'product.product/search_read', { ...known, fields }, createCall())
    const [first, second] = products
    const currency_id = await find('res.currency', [['name', '=', 'JMD']])
    ;[list] = (await create('product.pricelist', { name: 'Site', sequence: 0, website_id, currency_id })) as [number]
    const startsAt = new Date(Date.now() - 10_000).toISOString().slice(0, 19).replace('T', ' ')
    const rules = [
      { applied_on: '3_global', compute_price: 'percentage', percent_price: 7.5 },
      { applied_on: '3_global', compute_price: 'percentage', percent_price: 12, min_quantity: 10 },
      { applied_on: '2_product_category', categ_id, compute_price: 'formula', price_discount: 3, price_round: 0.05 },
      {
        applied_on: '1_product',
        product_tmpl_id: first!.product_tmpl_id[0],
        compute_price: 'fixed',
        fixed_price: 99.95,
      },
      {
        applied_on: '1_product',
        product_tmpl_id: second!.product_tmpl_id[0],
        compute_price: 'fixed',
        fixed_price: 80.05,
        date_start: startsAt,
      },
    ]
    for (const rule of rules) await create('product.pricelist.item', { pricelist_id: list, ...rule })

    await using visitor = createHttpClient({ address: storefront.address, maxSockets: 2, maxResponseBytes: 1_000_000 })
    async function showAt({ id, product_tmpl_id }: (typeof products)[number], add_qty: number) {
      const params = { product_template_id: product_tmpl_id[0], product_id: id, combination: [], add_qty }
      const body = { jsonrpc: '2.0', method: 'call', params }
      const path = '/website_sale/get_combination_info'
      return (await visitor.json(Shown, { method: 'POST', path, body }, createCall())).result.price.toFixed(2)
    }
    const { close, ...ports } = connectOdooPorts(storefront)
    try {
      const skus = products.map(({ default_code }) => default_code)
      const prices = await ports.pricing.prices(skus, null, createCall())
      expect(prices.map(({ sku }) => sku)).to.have.members(skus)
      for (const product of products) {
        const { amount, breaks, price_type, list_amount } = prices.find(({ sku }) => sku === product.default_code)!
        expect([price_type, list_amount]).to.deep.equal(['LIST', amount])
        for (const quantity of QUANTITIES) {
          const own = breaks.findLast(({ min_quantity }) => Number(min_quantity) <= quantity)?.amount ?? amount
          expect(own, `${product.default_code} × ${quantity}`).to.equal(await showAt(product, quantity))
        }
      }
      // The feed has the products of a rule that was written, and of one that has begun.
      const since = new Date(Date.now() - SINCE_MS).toISOString()
      const { changes } = await ports.pricing.priceChanges!({ since, limit: 500, offset: 0 }, createCall())
      expect(changes.map(({ sku }) => sku)).to.include.members(skus)
    } finally {
      await close()
    }
  })
})
