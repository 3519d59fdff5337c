import { expect } from 'chai'
import { chooseWebsitePriceList, type WebsitePriceList } from '../../../adapters/odoo/pricing/website-price-list.ts'

const listOf = (id: number, countries: string[] | null, name = 'JMD'): WebsitePriceList => ({
  id,
  currency_id: { id: 1, name },
  country_group_ids: countries === null ? [] : [{ id, country_ids: countries.map((code) => ({ id: 9, code })) }],
})
const choose = (...lists: WebsitePriceList[]) => chooseWebsitePriceList(lists, 'JM', 'JMD')

describe('odoo: the price list of the website', () => {
  it('is the first one for the country', () => {
    expect(choose(listOf(1, null), listOf(2, ['US']), listOf(3, ['TT', 'JM']), listOf(4, ['JM']))).to.equal(3)
  })

  it('is the first one for all countries where none is for the country', () => {
    expect(choose(listOf(1, ['US']), listOf(2, null), listOf(3, null))).to.equal(2)
    expect(choose(listOf(1, []), listOf(2, null))).to.equal(2)
  })

  it('is the first one where all are for other countries', () => {
    expect(choose(listOf(1, ['US']), listOf(2, ['TT']))).to.equal(1)
  })

  it('is one in the currency of the shop', () => {
    expect(choose(listOf(1, ['JM'], 'USD'), listOf(2, null))).to.equal(2)
    expect(choose(listOf(1, null, 'USD'))).to.equal(null)
    expect(choose()).to.equal(null)
  })
})
