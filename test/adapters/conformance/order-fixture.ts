import { expect } from 'chai'
import type { Order, OrderDraft, PlaceAnswer } from '../../../src/ports/order.ts'
import type { Passage, Trouble } from '../../support/fault-proxy.ts'
import { draftOf, type Goods } from './order-draft.ts'
import { call } from './subject.ts'
import { persist, strikingEach } from './retry-and-interrupt.ts'
import type { Bench, Whole } from './requirement.ts'
import { everyPage } from './read-every-page.ts'

/** What duties about orders need of every adapter that takes them. */
export const SELLING = [
  ...(['accounting.placeOrder', 'accounting.order', 'accounting.orders', 'accounting.cancelOrder'] as const),
  ...(['accounting.credit', 'customer', 'goods'] as const),
]

export const WHY = { reason: 'CUSTOMER_REQUEST', note: 'found it' }

/** A shop in front of the bench's ledger. What it sold and did not see leave is taken back when it closes. */
export function shop(bench: Bench): AsyncDisposable & {
  draft(
    change?: Partial<OrderDraft>,
    of?: { customerId?: string; goods?: Goods; quantity?: string | string[] },
  ): OrderDraft
  place(draft: OrderDraft, over?: Whole): Promise<PlaceAnswer>
  placed(draft: OrderDraft): Promise<Order>
  available(): Promise<number>
  all(): Promise<Order[]>
} {
  const { accounting, facts, reference } = bench
  const { customerId: own } = facts.customer
  const sold = new Map<string, string>()
  const place = (draft: OrderDraft, { accounting } = bench as Whole) =>
    persist(() => accounting.placeOrder(draft, call()))
  return {
    draft(change = {}, { customerId = own, goods = facts.goods, quantity = '1' } = {}) {
      const draft = draftOf({ reference: reference(), customerId, goods, quantity }, change)
      sold.set(draft.reference, customerId)
      return draft
    },
    place,
    async placed(draft) {
      const answer = await place(draft)
      expect(answer, JSON.stringify(answer)).to.have.property('state', 'placed')
      return (answer as PlaceAnswer & { state: 'placed' }).order
    },
    available: async () => Number((await accounting.credit(own, call()))!.available_credit),
    all: () =>
      everyPage(async (page) => {
        const { orders, ...rest } = await accounting.orders(own, page, call())
        return { rows: orders, ...rest }
      }),
    async [Symbol.asyncDispose]() {
      for (const [one, customer] of sold)
        await persist(() => accounting.cancelOrder(customer, { reference: one }, WHY, call()))
    },
  }
}

/**
 * Strikes each exchange of a question in its turn, over an adapter that has spoken with its system before. One after the other: a ledger
 * that locks its tables for an order is slower with several at once.
 */
export async function underEach(bench: Bench, trouble: Trouble, ask: (struck: Struck, n: number) => Promise<unknown>) {
  const passage = bench.between.passage()
  await using ports = bench.connect(passage.way)
  await ports.accounting.order(bench.facts.customer.customerId, { reference: 'ord_nothing' }, call())
  const exchanges = await strikingEach(passage, trouble, (n) => ask({ passage, ports }, n))
  expect(exchanges, 'exchanges').to.be.at.least(1)
}

interface Struck {
  passage: Passage
  ports: Whole
}
