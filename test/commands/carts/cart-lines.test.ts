import { expect } from 'chai'
import { addCartLine, updateCartLine } from '../../../src/commands/carts/cart-lines.ts'
import { InvalidInput, Problem } from '../../../src/errors.ts'
import type { Product } from '../../../src/ports/inventory.ts'
import type { StoredCartLine } from '../../../src/storage/commerce/carts.ts'

const unit = (uom: string, factor: string, min = '1', increment = '1') => ({ uom, factor, min, increment })
const oil = { uom: 'litre', order_uoms: [unit('litre', '1', '1', '0.5'), unit('can', '4'), unit('third', '0.333')] }
const product = { ...oil, sku: 'OIL', name: 'Oil' } as Product

describe('cart lines', () => {
  const empty = { lines: [] as StoredCartLine[] }

  it('merge if SKU and unit are the same', () => {
    const once = addCartLine(empty, product, { order_uom: 'can', order_quantity: 1 }, 'a')
    const { lines } = addCartLine(once, product, { order_uom: 'can', quantity: 8 }, 'b')
    expect(lines).to.deep.equal([
      { line_id: 'a', sku: 'OIL', name: 'Oil', quantity: '12', uom: 'litre', order_uom: 'can', order_quantity: '3' },
    ])
    expect(addCartLine(once, product, { quantity: 1 }, 'b').lines.map(({ line_id }) => line_id)).to.deep.equal([
      'a',
      'b',
    ])
  })

  it('do not merge beyond the maximum of a line', () => {
    const much = addCartLine(empty, product, { quantity: 999_999 }, 'a')
    expect(() => addCartLine(much, product, { quantity: 1 }, 'b')).to.throw(InvalidInput)
  })

  it('merge when a change makes them alike', () => {
    const two = addCartLine(
      addCartLine(empty, product, { quantity: 4 }, 'a'),
      product,
      { order_uom: 'can', quantity: 4 },
      'b',
    )
    expect(updateCartLine(two, product, { order_uom: 'can' }, 'a').lines).to.deep.equal([
      { line_id: 'a', sku: 'OIL', name: 'Oil', quantity: '8', uom: 'litre', order_uom: 'can', order_quantity: '2' },
    ])
  })

  it('are limited to 200', () => {
    let full = empty
    for (let i = 0; i < 200; i += 1) full = addCartLine(full, { ...product, sku: `S${i}` }, { quantity: 1 }, `l${i}`)
    expect(() => addCartLine(full, product, { quantity: 1 }, 'x')).to.throw(
      Problem,
      'A cart can hold at most 200 lines.',
    )
    expect(addCartLine(full, { ...product, sku: 'S7' }, { quantity: 1 }, 'x').lines).to.have.length(200)
  })
})
