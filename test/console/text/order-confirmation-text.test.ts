import { expect } from 'chai'
import { describeOrderConfirmation } from '../../../src/console/text/order-confirmation-text.ts'
import type { OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../src/storage/commerce/orders.ts'

const iso = (time: string) => `2026-11-28T${time}Z`
const lost: OrderTryRow = {
  ...{
    order_id: 'ord_1',
    number: 0,
    at: iso('16:49:46'),
    ms: 3_000,
    outcome: 'timeout',
    kind: 'no response in 3000 ms',
  },
}
const placedTry: OrderTryRow = { ...lost, number: 1, at: iso('16:49:47'), ms: 40, outcome: 'placed', kind: 'placed' }

const describeOrder = (placedAt: string, first: OrderTryRow = lost) => {
  const order = { order_id: 'ord_1', attempts: 2, updated_at: iso('16:49:47'), placed: { placed_at: iso(placedAt) } }
  return describeOrderConfirmation(order as OrderRecord, [first, placedTry], (at) => at.slice(11, 19))
}
const textOf = (stored: string, kind = lost.kind) =>
  `Accounting was asked 2 times, and the first call failed: ${kind}.${stored} Accounting confirmed the order at 16:49:47, at attempt 2. It was placed once: each attempt sends the same reference, ord_1, and accounting keeps one order of a reference.`

describe('describeOrderConfirmation', () => {
  it('says that accounting stored the order at the attempt whose response was lost', () => {
    expect(describeOrder('16:49:43')).to.equal(
      textOf(' Accounting stored the order at attempt 1 (at 16:49:43 by its own clock): only its response was lost.'),
    )
  })

  it('does not say so if accounting stored it later, or could not be reached', () => {
    expect(describeOrder('16:49:47')).to.equal(textOf(''))
    const refused = { ...lost, outcome: 'unavailable', kind: 'connection refused' } as const
    expect(describeOrder('16:49:43', refused)).to.equal(textOf('', refused.kind))
  })
})
