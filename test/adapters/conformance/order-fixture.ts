import { expect } from 'chai'
import type { Order, OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import type { ProxyFault, ProxyRoute } from '../../support/fault-proxy.ts'
import { createOrderDraft, type Goods } from './order-draft.ts'
import { readEveryPage } from './read-every-page.ts'
import type { CompletePorts, TestBench } from './requirement.ts'
import { interruptEachExchange, retryWhileRetryable } from './retry-and-interrupt.ts'
import { createCall } from './subject.ts'

/** What duties about orders need of every adapter that takes them. */
export const ORDER_NEEDS = [
  ...(['accounting.placeOrder', 'accounting.order', 'accounting.orders', 'accounting.cancelOrder'] as const),
  ...(['accounting.credit', 'customer', 'goods'] as const),
]

export const CANCEL_REASON = { reason: 'CUSTOMER_REQUEST', note: 'found it' }

/** A shop in front of the bench's ledger. What it sold and did not see leave is taken back when it closes. */
export function createOrderFixture(bench: TestBench): AsyncDisposable & {
  draft(
    change?: Partial<OrderDraft>,
    of?: { customerId?: string; goods?: Goods; quantity?: string | string[] },
  ): OrderDraft
  place(draft: OrderDraft, over?: CompletePorts): Promise<PlaceOrderResult>
  placed(draft: OrderDraft): Promise<Order>
  available(): Promise<number>
  all(): Promise<Order[]>
} {
  const { accounting, facts, reference } = bench
  const { customerId: own } = facts.customer
  const sold = new Map<string, string>()
  const place = (draft: OrderDraft, { accounting } = bench as CompletePorts) =>
    retryWhileRetryable(() => accounting.placeOrder(draft, createCall()))
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
    available: async () => Number((await accounting.credit(own, createCall()))!.available_credit),
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

/**
 * Strikes each exchange of a question in its turn, over an adapter that has spoken with its system before. One after the other: a ledger
 * that locks its tables for an order is slower with several at once.
 */
export async function interruptEachOrderExchange(
  bench: TestBench,
  trouble: ProxyFault,
  ask: (struck: Struck, n: number) => Promise<unknown>,
) {
  const passage = bench.between.passage()
  await using ports = bench.connect(passage.way)
  await ports.accounting.order(bench.facts.customer.customerId, { reference: 'ord_nothing' }, createCall())
  const exchanges = await interruptEachExchange(passage, trouble, (n) => ask({ passage, ports }, n))
  expect(exchanges, 'exchanges').to.be.at.least(1)
}

interface Struck {
  passage: ProxyRoute
  ports: CompletePorts
}
