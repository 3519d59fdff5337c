import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { isOffered } from '../../../adapters/odoo/deliveries/carrier-eligibility.ts'
import type { Carrier } from '../../../adapters/odoo/deliveries/carrier-reader.ts'
import {
  addMargins,
  type DeliveredGoods,
  findStepPrice,
  isFree,
} from '../../../adapters/odoo/deliveries/delivery-price.ts'

const carrier = {
  delivery_type: 'fixed',
  country_ids: [],
  state_ids: [],
  zip_prefix_ids: [],
  max_weight: 0,
  max_volume: 0,
  must_have_tag_ids: [],
  excluded_tag_ids: [],
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
const place = { countryId: 10, stateId: 20, postalCode: 'ab1 2cd' }
const offers = (change: Partial<Carrier>, at: Parameters<typeof isOffered>[1] = place) =>
  isOffered({ ...carrier, ...change }, at, goods)
const step = (variable: string, operator: string, max_value: number, list_base_price: number, list_price = 0) => ({
  ...{ id: 1, variable, operator, max_value, list_base_price, list_price },
  variable_factor: 'weight',
})

describe('odoo: delivery methods', () => {
  it('serve the countries, states and postal codes that they name', () => {
    expect(offers({})).to.equal(true)
    expect([offers({ country_ids: [10] }), offers({ country_ids: [11] })]).to.deep.equal([true, false])
    expect([offers({ state_ids: [20] }), offers({ state_ids: [21] })]).to.deep.equal([true, false])
    const prefixes = (...names: string[]) => ({ zip_prefix_ids: names.map((name, id) => ({ id, name })) })
    expect([offers(prefixes('ZZ', 'AB1')), offers(prefixes('B1'))]).to.deep.equal([true, false])
    expect([offers(prefixes('AB1 2CD$')), offers(prefixes('AB1$'))]).to.deep.equal([true, false])
    expect(offers(prefixes('(?P<a>A)'))).to.equal(false)
    const unknown = { countryId: undefined, stateId: undefined, postalCode: null }
    for (const one of [{ country_ids: [10] }, { state_ids: [20] }, prefixes('AB1')])
      expect(offers(one, unknown)).to.equal(false)
  })

  it('observe tags, weight and volume, services included', () => {
    expect([offers({ must_have_tag_ids: [2, 9] }), offers({ must_have_tag_ids: [9] })]).to.deep.equal([true, false])
    const all = { needs_all_tags: true }
    expect(offers({ ...all, must_have_tag_ids: [2, 9] })).to.equal(false)
    expect([offers({ ...all, must_have_tag_ids: [2] }), offers(all)]).to.deep.equal([true, true])
    expect([offers({ excluded_tag_ids: [9] }), offers({ excluded_tag_ids: [2] })]).to.deep.equal([true, false])
    expect([offers({ max_weight: 16 }), offers({ max_weight: 15.9 })]).to.deep.equal([true, false])
    expect([offers({ max_volume: 2 }), offers({ max_volume: 1.9 })]).to.deep.equal([true, false])
  })

  it('cost what the first step that applies says, without services', () => {
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

  it('take weight × volume of the whole order when no line has both, as Odoo does', () => {
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

  it('add their margins, and are free for large orders if their price is fixed', () => {
    const margins = { ...carrier, margin: 0.075, fixed_margin: 3 }
    const add = (change: Partial<Carrier>) => addMargins({ ...margins, ...change }, new Decimal(200)).toNumber()
    expect([add({ delivery_type: 'base_on_rule' }), add({})]).to.deep.equal([218, 200])
    const from = (amount: number, delivery_type = 'fixed') =>
      isFree({ ...carrier, free_over: true, amount, delivery_type }, goods)
    expect([from(20_000), from(20_001), from(1, 'base_on_rule')]).to.deep.equal([true, false, false])
  })

  it('have margins and free deliveries alike in Odoo 16, whether their price is fixed or not', () => {
    const alike = { ...carrier, margin: 0.1, free_over: true, amount: 1, has_uniform_terms: true }
    for (const delivery_type of ['fixed', 'base_on_rule']) {
      expect(addMargins({ ...alike, delivery_type }, new Decimal(200)).toNumber()).to.equal(220)
      expect(isFree({ ...alike, delivery_type }, goods)).to.equal(true)
    }
  })
})
