import { expect } from 'chai'
import fc from 'fast-check'
import { type QuantityInput, resolveLineQuantity } from '../../../src/commands/carts/resolve-line-quantity.ts'
import { InvalidInput } from '../../../src/errors.ts'

const unit = (uom: string, factor: string, min = '1', increment = '1') => ({ uom, factor, min, increment })
const oil = { uom: 'litre', order_uoms: [unit('litre', '1', '1', '0.5'), unit('can', '4'), unit('third', '0.333')] }

function rejectionOf(wanted: QuantityInput) {
  try {
    resolveLineQuantity(oil, wanted)
  } catch (error) {
    return (error as InvalidInput).detail[0]!
  }
  throw new Error('the quantity was accepted')
}

describe('the quantity of a cart line', () => {
  it('is converted to the base unit from either quantity', () => {
    const cans = { quantity: '12', uom: 'litre', order_uom: 'can', order_quantity: '3' }
    expect(resolveLineQuantity(oil, { order_uom: 'can', order_quantity: 3 })).to.deep.equal(cans)
    expect(resolveLineQuantity(oil, { order_uom: 'can', quantity: 12 })).to.deep.equal(cans)
    expect(resolveLineQuantity(oil, { order_uom: 'can', quantity: 12, order_quantity: 3 })).to.deep.equal(cans)
    expect(resolveLineQuantity(oil, { quantity: 1.5 })).to.deep.equal({
      quantity: '1.5',
      uom: 'litre',
      order_uom: null,
      order_quantity: null,
    })
  })

  const disagreeing = { quantity: 5, order_uom: 'can', order_quantity: 1 }
  for (const [what, wanted, type, name] of [
    ['a unit in which the product is not sold', { quantity: 1, order_uom: 'bucket' }, 'unknown_unit', 'order_uom'],
    ['two contradictory quantities', disagreeing, 'quantity_mismatch', 'order_quantity'],
    ['less than the unit’s minimum', { quantity: 0.5 }, 'unit_minimum', 'quantity'],
    ['a quantity between the unit’s increments', { quantity: 1.25 }, 'unit_increment', 'quantity'],
    ['part of a can', { quantity: 6, order_uom: 'can' }, 'unit_increment', 'quantity'],
    ['one and a half cans', { order_quantity: 1.5, order_uom: 'can' }, 'unit_increment', 'order_quantity'],
    ['four decimals', { quantity: 1.0001 }, 'decimal_max_places', 'quantity'],
    ['a floating-point remainder', { quantity: 0.1 + 0.2 }, 'decimal_max_places', 'quantity'],
    ['the smallest float', { quantity: 5e-324 }, 'decimal_max_places', 'quantity'],
    [
      'more than the maximum of a line',
      { order_uom: 'can', order_quantity: 250_000 },
      'less_than_equal',
      'order_quantity',
    ],
    ['no quantity', {}, 'missing', 'quantity'],
    ['an order quantity without a unit', { order_quantity: 1 }, 'missing', 'order_uom'],
  ] as const) {
    it(`rejects ${what}`, () => {
      expect(rejectionOf(wanted)).to.deep.include({ type, loc: ['body', name] })
    })
  }

  it('rejects with the violated rule', () => {
    expect(rejectionOf({ quantity: 0.5 }).msg).to.equal('Quantity should be at least 1 × litre')
    expect(rejectionOf({ quantity: 1.25 }).msg).to.equal('Quantity should be a multiple of 0.5 × litre')
  })

  it('always satisfies quantity = order_quantity × factor', () => {
    const free = { uom: 'litre', order_uoms: oil.order_uoms.map((of) => ({ ...of, min: '0', increment: '0' })) }
    const thousandths = fc.oneof(fc.integer({ min: 1, max: 999_999_000 }), fc.integer({ min: 1, max: 5_000 }))
    const property = fc.property(thousandths, fc.constantFrom('litre', 'can', 'third'), (count, order_uom) => {
      const { factor } = free.order_uoms.find(({ uom }) => uom === order_uom)!
      const exact = BigInt(count) * BigInt(Math.round(Number(factor) * 1_000))
      const wanted = { order_uom, order_quantity: count / 1_000 }
      if (exact % 1_000n !== 0n || exact > 999_999_000_000n) {
        expect(() => resolveLineQuantity(free, wanted)).to.throw(InvalidInput)
      } else {
        expect(Math.round(Number(resolveLineQuantity(free, wanted).quantity) * 1_000)).to.equal(Number(exact / 1_000n))
      }
    })
    fc.assert(property, { numRuns: 500 })
  })
})
