import { expect } from 'chai'
import {
  describeOpenCarts,
  describeProductInCart,
  describeRefusedCheckouts,
} from '../../../src/console/text/carts-with-product-text.ts'
import type { CartRecord } from '../../../src/storage/commerce/carts.ts'

const cart = (totals: object | null) => ({ pricing: totals && { totals } }) as CartRecord

const missing = { sku: 'BP-1', dependsOnCustomer: false }

const NONE = 'None refused.'

describe('describeRefusedCheckouts', () => {
  const toTime = (at: number) => ({ iso: '', text: String(at) })
  const one = { count: 1, isLimited: false, customers: 1, firstAt: 7, lastAt: 7 }

  it('counts recorded checkouts and their customers', () => {
    expect(describeRefusedCheckouts(null, toTime)).to.equal('No checkout that was refused for it is recorded.')
    expect(describeRefusedCheckouts(one, toTime)).to.equal(
      'Recorded checkouts that were refused for it: 1, of 1 customer, at 7.',
    )
    expect(
      describeRefusedCheckouts({ ...one, count: 200, isLimited: true, customers: 30, lastAt: 9 }, toTime),
    ).to.equal(
      'Recorded checkouts that were refused for it: at least 200, of 30 customers, the first at 7, the last at 9.',
    )
  })
})

describe('describeOpenCarts', () => {
  it('says that no open cart holds the product, as far as they were searched', () => {
    expect(describeOpenCarts({ carts: [], areOthersUnknown: false }, missing, 'JMD', NONE)).to.equal(
      'Open carts that hold this product: none found. None refused.',
    )
    expect(describeOpenCarts({ carts: [], areOthersUnknown: true }, missing, 'JMD', NONE)).to.equal(
      'Open carts that hold this product: none found. Not all open carts were searched: there may be more. None refused.',
    )
  })

  it('adds up the carts that were priced', () => {
    const carts = [cart({ total: '10.00' }), cart({ total: '2.50' }), cart(null)]
    expect(describeOpenCarts({ carts, areOthersUnknown: false }, missing, 'JMD', NONE)).to.equal(
      'Open carts that hold this product: 3 (2 carts of JMD 12.50 in total when last priced, 1 cart without a total). Their checkout is refused as long as it cannot be ordered. None refused. Nothing is lost: the carts are kept.',
    )
  })
})

describe('describeProductInCart', () => {
  it('says of a total from before the product was added that it does not include it', () => {
    const lines = [{ line_id: 'line_2', sku: 'BP-1', uom: 'EA' }]
    const describe = (pricing: object | null) =>
      describeProductInCart({ lines, pricing } as CartRecord, { ...missing, dependsOnCustomer: true }, 'JMD', (at) => ({
        iso: at,
        text: at,
      }))
    expect(describe({ totals: { total: '4500.00' }, lines: [{ line_id: 'line_1' }], unpriced: [] })).to.equal(
      'its last total of JMD 4,500.00 does not include this product',
    )
    expect(describe(null)).to.equal('without a total')
  })
})
