import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { adaptPriceToTaxes } from '../../../adapters/odoo/pricing/adapt-price-to-taxes.ts'
import { combineSampleTaxes } from './combine-sample-taxes.ts'

describe('odoo: a price for other taxes', () => {
  it('is without a tax that is included in it, where mixed taxes apply', () => {
    const [from, to] = [combineSampleTaxes(4)!, combineSampleTaxes(14, 1)!]
    expect(adaptPriceToTaxes(new Decimal('115'), from, to).toFixed(2)).to.equal('101.50')
  })

  it('is without an included tax that the customer does not pay', () => {
    const adapt = (price: number, from: number[], to: number[]) =>
      adaptPriceToTaxes(new Decimal(price), combineSampleTaxes(...from)!, combineSampleTaxes(...to)!).toFixed()
    expect(adapt(1150, [4], [5])).to.equal('1000')
    expect(adapt(1150, [4], [4])).to.equal('1150')
    expect(adapt(1150, [1], [5])).to.equal('1150')
    expect(adapt(1150, [4], [14])).to.equal('1001.5')
    expect(adapt(1151.5, [4, 14], [5])).to.equal('1000')
    expect(adapt(1151.5, [4, 14], [1])).to.equal('1000')
  })

  it('stays the same if the included tax of the product is in a group, as in Odoo', () => {
    expect(adaptPriceToTaxes(new Decimal(1150), combineSampleTaxes(13)!, combineSampleTaxes(5)!).toFixed()).to.equal(
      '1150',
    )
  })
})
