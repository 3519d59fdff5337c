import { expect } from 'chai'
import {
  computeOrderProgress,
  computeOrderSteps,
  type OrderProgress,
} from '../../../src/changes/orders/compute-order-steps.ts'
import type { Order, OrderStatus } from '../../../src/ports/order.ts'

const at = '2026-03-02T12:00:00.000Z'
const parcel = { shipment_id: 'S', carrier: null, tracking_number: null, tracking_url: null, shipped_at: at, lines: [] }

function order(status: OrderStatus, history: OrderStatus[] = [], parcels = 0) {
  return {
    status,
    updated_at: at,
    shipments: Array.from({ length: parcels }, () => parcel) as Order['shipments'],
    history: history.map((passed) => ({ status: passed, at })),
  }
}
const known = (status: OrderStatus, shipments = 0): OrderProgress => ({ status, shipments })
const steps = (from: OrderProgress | null, to: ReturnType<typeof order>) =>
  computeOrderSteps(from, to).map(({ status }) => status)

describe('the new statuses of an order', () => {
  it('are reported in order, with those in between that accounting knows of', () => {
    const through = order('DELIVERED', ['PENDING', 'CONFIRMED', 'SHIPPED', 'DELIVERED'], 1)
    expect(steps(known('CONFIRMED'), through)).to.deep.equal(['SHIPPED', 'DELIVERED'])
    expect(steps(null, through)).to.deep.equal(['CONFIRMED', 'SHIPPED', 'DELIVERED'])
    expect(steps(known('CONFIRMED'), order('DELIVERED'))).to.deep.equal(['DELIVERED'])
  })

  it('are reported once', () => {
    for (const status of ['PENDING', 'CONFIRMED', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REJECTED'] as const) {
      expect(steps(known(status), order(status, ['PENDING', 'CONFIRMED', status]))).to.deep.equal([])
    }
  })

  it('are reported again when more shipments leave', () => {
    const two = order('PARTIALLY_SHIPPED', ['CONFIRMED', 'PARTIALLY_SHIPPED'], 2)
    expect(steps(known('PARTIALLY_SHIPPED', 1), two)).to.deep.equal(['PARTIALLY_SHIPPED'])
    expect(steps(known('PARTIALLY_SHIPPED', 2), two)).to.deep.equal([])
    expect(
      computeOrderProgress(known('PARTIALLY_SHIPPED', 1), computeOrderSteps(known('PARTIALLY_SHIPPED', 1), two), two),
    ).to.deep.equal(known('PARTIALLY_SHIPPED', 2))
  })

  it('never go back', () => {
    expect(steps(known('SHIPPED'), order('CONFIRMED', ['CONFIRMED', 'SHIPPED', 'CONFIRMED']))).to.deep.equal([])
    expect(steps(known('CANCELLED'), order('CONFIRMED', ['CONFIRMED', 'CANCELLED', 'CONFIRMED']))).to.deep.equal([])
    expect(steps(known('DELIVERED'), order('SHIPPED'))).to.deep.equal([])
  })

  it('leave out a final status that was revoked before it was reported', () => {
    const reopened = order('CONFIRMED', ['CONFIRMED', 'CANCELLED', 'CONFIRMED'])
    expect(steps(null, reopened)).to.deep.equal(['CONFIRMED'])
    expect(steps(null, order('CONFIRMED', ['CONFIRMED', 'SHIPPED', 'CONFIRMED']))).to.deep.equal(['CONFIRMED'])
  })

  it('end with a cancellation whatever the order’s status', () => {
    expect(steps(known('CONFIRMED'), order('CANCELLED', ['CONFIRMED', 'CANCELLED']))).to.deep.equal(['CANCELLED'])
    expect(steps(null, order('CANCELLED', ['CONFIRMED', 'CANCELLED']))).to.deep.equal(['CONFIRMED', 'CANCELLED'])
  })
})
