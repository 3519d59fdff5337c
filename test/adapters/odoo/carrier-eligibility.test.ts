import { expect } from 'chai'
import { isCarrierOffered } from '../../../adapters/odoo/delivery-options/carrier-eligibility.ts'
import type { Carrier } from '../../../adapters/odoo/delivery-options/carrier-reader.ts'
import type { DeliveredGoods } from '../../../adapters/odoo/delivery-options/delivery-price.ts'

const carrier = {
  country_ids: [],
  state_ids: [],
  zip_prefix_ids: [],
  max_weight: 0,
  max_volume: 0,
  must_have_tag_ids: [],
  excluded_tag_ids: [],
} as unknown as Carrier
const goods: DeliveredGoods = {
  total: 20_000,
  lines: [
    { quantity: 3, weight: 2, volume: 0.5, isService: false, tagIds: [1] },
    { quantity: 2, weight: 5, volume: 0.25, isService: true, tagIds: [2] },
  ],
}
const place = { countryId: 10, stateId: 20, postalCode: 'ab1 2cd' }
const offers = (change: Partial<Carrier>, at: Parameters<typeof isCarrierOffered>[1] = place) =>
  isCarrierOffered({ ...carrier, ...change }, at, goods)

describe('odoo: where a delivery method is offered', () => {
  it('is in the countries, states and postal codes that it names', () => {
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

  it('depends on tags, weight and volume, services included', () => {
    expect([offers({ must_have_tag_ids: [2, 9] }), offers({ must_have_tag_ids: [9] })]).to.deep.equal([true, false])
    const all = { needs_all_tags: true }
    expect(offers({ ...all, must_have_tag_ids: [2, 9] })).to.equal(false)
    expect([offers({ ...all, must_have_tag_ids: [2] }), offers(all)]).to.deep.equal([true, true])
    expect([offers({ excluded_tag_ids: [9] }), offers({ excluded_tag_ids: [2] })]).to.deep.equal([true, false])
    expect([offers({ max_weight: 16 }), offers({ max_weight: 15.9 })]).to.deep.equal([true, false])
    expect([offers({ max_volume: 2 }), offers({ max_volume: 1.9 })]).to.deep.equal([true, false])
  })
})
