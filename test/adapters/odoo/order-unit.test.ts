import { expect } from 'chai'
import { toOrderUnit } from '../../../adapters/odoo/orders/order-unit.ts'

const units = new Map([
  [1, { name: 'Units', factor: 1 }],
  [2, { name: 'Pack of 6', factor: 6 }],
  [3, { name: 'Pack of 6', factor: 12 }],
  [4, { name: 'Half', factor: 0.5 }],
])
const packs = { quantity: '12', unit_price: '5700.05', order_uom: 'Pack of 6', order_quantity: '2' }
const inUnit = (line: Partial<typeof packs> | { order_uom: null; order_quantity: null }) =>
  toOrderUnit({ ...packs, ...line }, 1, units, 2)
const inBase = { unitId: 1, quantity: '12', unitPrice: '5700.05' }

describe('odoo: the unit of an order line', () => {
  it('is the one that the shopper ordered in, with the price in that unit', () => {
    expect(inUnit({})).to.deep.equal({ unitId: 2, quantity: '2', unitPrice: '34200.3' })
    expect(inUnit({ quantity: '24' })).to.deep.include({ unitId: 3, quantity: '2' })
  })

  it('is the base unit without another one', () => {
    expect(inUnit({ order_uom: null, order_quantity: null })).to.deep.equal(inBase)
  })

  it('is the base unit where Odoo has no such unit, or one of another size', () => {
    expect(inUnit({ order_uom: 'Dozen' })).to.deep.equal(inBase)
    expect(inUnit({ order_quantity: '3' })).to.deep.equal(inBase)
  })

  it('is the base unit if the price in the other one is no amount of the currency', () => {
    const half = { quantity: '1', order_uom: 'Half', order_quantity: '2' }
    expect(inUnit(half)).to.deep.equal({ unitId: 1, quantity: '1', unitPrice: '5700.05' })
    expect(inUnit({ ...half, unit_price: '5700.50' })).to.deep.include({ unitId: 4, unitPrice: '2850.25' })
  })
})
