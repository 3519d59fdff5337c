import { expect } from 'chai'
import { computeCarrierCost } from '../../../adapters/tryton/delivery-options/carrier-cost.ts'
import type { Carrier } from '../../../adapters/tryton/delivery-options/carrier-reader.ts'

describe('tryton: the cost of a carrier', () => {
  const carrier = (values: Partial<Carrier>, own: string | null, common: string | null = null): Carrier => ({
    id: 1,
    carrier_cost_method: 'product',
    'party.': { name: 'Van' },
    ...values,
    'carrier_product.': {
      id: 2,
      list_price: own === null ? null : { decimal: own },
      'template.': {
        name: 'Delivery',
        salable: true,
        list_price: common === null ? null : { decimal: common },
        default_uom: 1,
        categories_all: [],
      },
    },
  })
  const share = (percentage: string) => ({ carrier_cost_method: 'percentage', percentage: { decimal: percentage } })
  const lines = [
    { price: '1300.1234', quantity: '2.5' },
    { price: '850.00', quantity: '3' },
  ]

  it('is the price of its product, with four decimals', () => {
    expect(computeCarrierCost(carrier({}, '650.50'), lines, 2)).to.equal('650.5')
    expect(computeCarrierCost(carrier({}, null, '12.34565'), lines, 2)).to.equal('12.3456')
    expect(computeCarrierCost(carrier({}, '0'), lines, 2)).to.equal('0')
  })

  it('is a percentage of the lines before promotions, rounded to the digits of the currency, halves to even ones', () => {
    // 5800.3085 × 2.35 % = 136.30724975
    expect(computeCarrierCost(carrier(share('2.35'), '0'), lines, 2)).to.equal('136.31')
    expect(computeCarrierCost(carrier(share('0.5'), '0'), [{ price: '1.00', quantity: '1' }], 2)).to.equal('0')
    expect(computeCarrierCost(carrier(share('1.5'), null, '7'), [{ price: '1.00', quantity: '1' }], 2)).to.equal('0.02')
  })

  it('is unknown without a list price, and for the cost methods of other modules', () => {
    expect(computeCarrierCost(carrier({}, null), lines, 2)).to.equal(null)
    expect(computeCarrierCost(carrier(share('5'), null), lines, 2)).to.equal(null)
    expect(computeCarrierCost(carrier({ carrier_cost_method: 'percentage' }, '5'), lines, 2)).to.equal(null)
    expect(computeCarrierCost(carrier({ carrier_cost_method: 'weight' }, '5'), lines, 2)).to.equal(null)
  })
})
