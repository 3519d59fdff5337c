import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { Carrier } from '../../../adapters/odoo/delivery-options/carrier-reader.ts'
import {
  addMargins,
  type DeliveredGoods,
  findStepPrice,
  isFree,
} from '../../../adapters/odoo/delivery-options/delivery-price.ts'

const carrier = {
  delivery_type: 'fixed',
  margin: 0,
  fixed_margin: 0,
  free_over: false,
  amount: 0,
} as unknown as Carrier
const goods: DeliveredGoods = {
  total: 20_000,
  lines: [
    { quantity: 3, weight: 2, volume: 0.5, isService: false, tagIds: [1] },
    { quantity: 2, weight: 5, volume: 0.25, isService: true, tagIds: [2] },
  ],
}
const step = (variable: string, operator: string, max_value: number, list_base_price: number, list_price = 0) => ({
  ...{ id: 1, variable, operator, max_value, list_base_price, list_price },
  variable_factor: 'weight',
})

describe('odoo: the price of a delivery method', () => {
  it('is that of the first step that applies, without services', () => {
    const priceOf = (...price_rule_ids: ReturnType<typeof step>[]) => findStepPrice({ price_rule_ids }, goods)
    expect(priceOf(step('weight', '<', 6, 1), step('weight', '<=', 6, 100, 2.5), step('weight', '>', 0, 3))).to.equal(
      115,
    )
    expect(priceOf(step('quantity', '==', 3, 7))).to.equal(7)
    expect(priceOf(step('price', '>=', 20_000, 8))).to.equal(8)
    expect(priceOf(step('volume', '>', 1.5, 9), step('wv', '==', 3, 10))).to.equal(10)
    expect(priceOf(step('price', '>', 20_000, 8))).to.equal(null)
    expect(priceOf(step('distance', '>', 0, 8), step('price', '!=', 0, 8))).to.equal(null)
  })

  it('takes weight × volume of the whole order when no line has both, as Odoo does', () => {
    const flat = { isService: false, tagIds: [], quantity: 1 }
    const parcels = {
      total: 1,
      lines: [
        { ...flat, weight: 10, volume: 0 },
        { ...flat, weight: 0, volume: 2 },
      ],
    }
    const price_rule_ids = [step('wv', '<=', 5, 100), step('wv', '>', 5, 500)]
    expect(findStepPrice({ price_rule_ids }, parcels)).to.equal(500)
  })

  it('has margins, and is 0 for large orders if it is fixed', () => {
    const margins = { ...carrier, margin: 0.075, fixed_margin: 3 }
    const add = (change: Partial<Carrier>) => addMargins({ ...margins, ...change }, new Decimal(200)).toNumber()
    expect([add({ delivery_type: 'base_on_rule' }), add({})]).to.deep.equal([218, 200])
    const from = (amount: number, delivery_type = 'fixed') =>
      isFree({ ...carrier, free_over: true, amount, delivery_type }, goods)
    expect([from(20_000), from(20_001), from(1, 'base_on_rule')]).to.deep.equal([true, false, false])
  })

  it('has margins and free deliveries alike in Odoo 16, whether it is fixed or not', () => {
    const alike = { ...carrier, margin: 0.1, free_over: true, amount: 1, has_uniform_terms: true }
    for (const delivery_type of ['fixed', 'base_on_rule']) {
      expect(addMargins({ ...alike, delivery_type }, new Decimal(200)).toNumber()).to.equal(220)
      expect(isFree({ ...alike, delivery_type }, goods)).to.equal(true)
    }
  })
})
