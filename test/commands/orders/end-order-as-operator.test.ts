import { expect } from 'chai'
import { findEndObstacle } from '../../../src/commands/orders/end-order-as-operator.ts'
import type { OrderTryRow } from '../../../src/storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../src/storage/commerce/orders.ts'

const NOW = Date.parse('2026-05-01T10:00:00.000Z')
const toIso = (ms: number) => new Date(ms).toISOString()

const orderWith = (change: Partial<OrderRecord>) =>
  ({ status: 'PENDING', acknowledged: true, attempts: 2, leased_until: toIso(NOW - 1), ...change }) as OrderRecord
const tryOf = (number: number, outcome: string) =>
  ({ order_id: 'ord_1', number, at: toIso(NOW - 60_000), ms: 5, outcome, kind: null }) as unknown as OrderTryRow

describe('an operator who ends an order', () => {
  const rejected = [tryOf(1, 'timeout'), tryOf(2, 'rejected')]

  it('may do so after accounting has rejected the latest try', () => {
    expect(findEndObstacle(orderWith({}), rejected, NOW)).to.equal(null)
  })

  it('may not while a try has no outcome, even if its lease is over: the order may have reached accounting', () => {
    const order = { attempts: 3 }
    expect(findEndObstacle(orderWith(order), rejected, NOW)).to.equal('not_refused')
    expect(findEndObstacle(orderWith({ ...order, leased_until: toIso(NOW + 1) }), rejected, NOW)).to.equal(
      'try_under_way',
    )
  })

  it('may not after another failure, nor when the order is not pending', () => {
    expect(findEndObstacle(orderWith({}), [tryOf(1, 'rejected'), tryOf(2, 'timeout')], NOW)).to.equal('not_refused')
    expect(findEndObstacle(orderWith({ status: 'CONFIRMED' }), rejected, NOW)).to.equal('not_pending')
    expect(findEndObstacle(orderWith({ acknowledged: false }), rejected, NOW)).to.equal('not_pending')
  })
})
