import { hash } from 'node:crypto'
import { expect } from 'chai'
import {
  addToImpact,
  countCarts,
  createImpact,
  mergeImpacts,
} from '../../../src/storage/diagnostics/incident-impact.ts'

/** Carts that a sketch of the impact cannot tell apart. */
const alike = Array.from({ length: 10_000 }, (_, i) => `cart_${i}`).filter((id) =>
  hash('sha256', id, 'hex').startsWith('00'),
)

function affect(cartIds: readonly string[]) {
  const impact = createImpact()
  for (const cartId of cartIds)
    addToImpact(impact, {
      ...{ shopper: 'C-1', cartId, isRefusedCheckout: false, route: 'getCart', effect: 'missing' as const },
      ...{ merchant: null, staleMs: null },
    })
  return impact
}

describe('the carts that an incident affected', () => {
  it('are counted exactly as long as all of their ids are known', () => {
    const [one, other] = [alike.slice(0, 2), alike.slice(1, 4)]
    expect(countCarts(affect(one))).to.equal(2)
    expect(countCarts(mergeImpacts(affect(one), affect(other)))).to.equal(4)
    expect(countCarts(createImpact())).to.equal(0)
  })

  it('are estimated when they are more', () => {
    const many = Array.from({ length: 5_000 }, (_, i) => `cart_${i}`)
    expect(countCarts(affect(many.slice(0, 120)))).to.be.within(100, 140)
    expect(countCarts(affect(many))).to.be.within(4_000, 6_000)
  })
})
