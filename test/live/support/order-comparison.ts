import { expect } from 'chai'
import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { CheckoutVisit } from '../../crash/checkout-visit.ts'
import type { ForecourtProcess } from './forecourt-process.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'

const Sales = responseSchema(
  Type.Array(
    Type.Object({
      web_id: Type.Union([Type.String(), Type.Null()]),
      party: Type.Integer(),
      state: Type.String(),
      total_amount: Type.Object({ decimal: Type.String() }),
      shipments: Type.Array(Type.Integer()),
      invoices: Type.Array(Type.Integer()),
    }),
  ),
)
export type ComparedSale = ReturnType<typeof Sales.parse>[number]

/** The final orders of some customers in Forecourt and in their back office. */
export interface OrderComparison {
  rows: { order_id: string; cart_id: string; customer_id: string; status: string }[]
  ordered: OrderComparison['rows']
  sales: ComparedSale[]
  /** The sales that were not cancelled. */
  standing: ComparedSale[]
}

export async function compareOrders(
  shop: ForecourtProcess,
  rpc: Rpc,
  customers: readonly string[],
): Promise<OrderComparison> {
  const fields = ['web_id', 'party', 'state', 'total_amount', 'shipments', 'invoices']
  const theirs = [[['party', 'in', customers.map(Number)]], 0, null, null, fields]
  return compareSales(shop, customers, await rpc(Sales, 'sale.sale.search_read', theirs, createCallWithLongDeadline()))
}

/** Compares the orders of some customers with all of their sales in the back office. */
export async function compareSales(
  { db }: ForecourtProcess,
  customers: readonly string[],
  sales: ComparedSale[],
): Promise<OrderComparison> {
  const rows = await db
    .selectFrom('orders')
    .select(['order_id', 'cart_id', 'customer_id', 'status'])
    .where('customer_id', 'in', customers)
    .execute()
  return {
    rows,
    sales,
    ordered: rows.filter(({ status }) => status === 'CONFIRMED'),
    standing: sales.filter(({ state }) => state !== 'cancelled'),
  }
}

/**
 * Expects exactly one sale per order, of the same customer, and no other sale. A late refusal is a cancelled sale.
 * `invoiceCount`: how many invoices the back office makes for an order at once.
 */
export function expectOneSalePerOrder(
  { rows, ordered, sales, standing }: OrderComparison,
  { invoiceCount = 1 } = {},
): void {
  expect(rows.filter(({ status }) => status !== 'CONFIRMED' && status !== 'REJECTED')).to.deep.equal([])
  expect(new Set(sales.map(({ web_id }) => web_id)).size).to.equal(sales.length)
  expect(standing.map(({ web_id, party }) => `${web_id} ${party}`).toSorted()).to.deep.equal(
    ordered.map(({ order_id, customer_id }) => `${order_id} ${customer_id}`).toSorted(),
  )
  for (const { web_id, state, shipments, invoices } of standing)
    expect([state, shipments.length, invoices.length], web_id!).to.deep.equal(['processing', 1, invoiceCount])
}

/** Expects at most one order per cart, the same one in every response, and placed orders to stay placed. */
export function expectRepliesMatchOrders({ rows, ordered }: OrderComparison, visits: readonly CheckoutVisit[]): void {
  expect(new Set(ordered.map(({ cart_id }) => cart_id)).size).to.equal(ordered.length)
  const byId = new Map(rows.map((row) => [row.order_id, row]))
  for (const { cartId, checkouts } of visits) {
    const results = checkouts.flatMap(({ status, text }) => (status === 200 ? [JSON.parse(text)] : []))
    const told = results.filter(({ state }) => state !== 'over_credit_limit')
    expect(new Set(told.map(({ order_id }) => order_id)).size, cartId).to.be.at.most(1)
    for (const { state, order_id } of told) {
      expect(byId.get(order_id)?.cart_id).to.equal(cartId)
      expect(byId.get(order_id)?.status).to.be.oneOf(state === 'placed' ? ['CONFIRMED'] : ['CONFIRMED', 'REJECTED'])
    }
  }
}
