import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Order, OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import { createCall } from '../../support/create-call.ts'
import type { Operation } from './operations.ts'
import { createOrderDraft, type Goods } from './order-draft.ts'
import { readEveryPage } from './read-every-page.ts'
import { retryWhileRetryable } from './retry-while-retryable.ts'
import type { Fact } from './subject.ts'
import type { CompletePorts, TestBench } from './test-bench.ts'

/** The needs of requirements about orders. */
export const ORDER_NEEDS: readonly (Operation | Fact)[] = [
  'accounting.placeOrder',
  'accounting.order',
  'accounting.orders',
  'accounting.cancelOrder',
  'accounting.credit',
  'customer',
  'goods',
]

const POLL_MS = 250

export const CANCEL_REASON = { reason: 'CUSTOMER_REQUEST', note: 'found it' }

/** A shop that places orders with the adapter. On disposal it cancels its orders that were not shipped. */
export function createOrderFixture(bench: TestBench): AsyncDisposable & {
  draft(
    change?: Partial<OrderDraft>,
    of?: { customerId?: string; goods?: Goods | Goods[]; quantity?: string | string[] },
  ): OrderDraft
  place(draft: OrderDraft, over?: CompletePorts): Promise<PlaceOrderResult>
  placed(draft: OrderDraft): Promise<Order>
  available(): Promise<number>
  /** Reads the available credit until it is this, up to the exposure delay of the port. Returns the last one. */
  availableAfterDelay(expected: number): Promise<number>
  all(): Promise<Order[]>
} {
  const { accounting, facts, reference } = bench
  const { customerId: own } = facts.customer
  const sold = new Map<string, string>()
  const place = (draft: OrderDraft, { accounting } = bench as CompletePorts) =>
    retryWhileRetryable(() => accounting.placeOrder(draft, createCall()))
  const available = async () => Number((await accounting.credit(own, createCall()))!.available_credit)
  return {
    draft(change = {}, { customerId = own, goods = facts.goods, quantity = '1' } = {}) {
      const draft = createOrderDraft({ reference: reference(), customerId, goods, quantity }, change)
      sold.set(draft.reference, customerId)
      return draft
    },
    place,
    async placed(draft) {
      const answer = await place(draft)
      expect(answer, JSON.stringify(answer)).to.have.property('state', 'placed')
      return (answer as PlaceOrderResult & { state: 'placed' }).order
    },
    available,
    async availableAfterDelay(expected) {
      const endsAt = performance.now() + (accounting.creditReservation?.exposureDelaySeconds ?? 0) * 1_000
      for (;;) {
        const found = await available()
        if (Math.abs(found - expected) < 0.001 || performance.now() >= endsAt) return found
        await pause(POLL_MS)
      }
    },
    all: () =>
      readEveryPage(async (page) => {
        const { orders, ...rest } = await accounting.orders(own, page, createCall())
        return { rows: orders, ...rest }
      }),
    async [Symbol.asyncDispose]() {
      for (const [one, customer] of sold)
        await retryWhileRetryable(() =>
          accounting.cancelOrder(customer, { reference: one }, CANCEL_REASON, createCall()),
        )
    },
  }
}
