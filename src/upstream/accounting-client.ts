import type { FairCache } from '../cache/fair-cache.ts'
import { UpstreamError } from '../errors.ts'
import type { AccountingPort, Credit, OrderKey } from '../ports/accounting.ts'
import type { Call } from '../ports/call.ts'
import type { Customer, CustomerDraft } from '../ports/customer.ts'
import type { Invoice, InvoicePage, InvoiceQuery } from '../ports/invoice.ts'
import type { CancelAnswer, Order, OrderDraft, OrderPage, OrderQuery, Payment, PlaceAnswer } from '../ports/order.ts'
import type { Source } from '../ports/system.ts'
import { type Asking, askedFor } from './request-scope.ts'
import { type Guard, type Priority, unasked } from './guard.ts'
import { createLoader, type Filled, type Freshness, type Kept } from './cached-loader.ts'

/** How a question that is not kept is asked. */
export interface Live {
  asking: Asking
  priority: Priority
  /** The most that it may take; the guard's own limit when it is not said. */
  timeoutMs?: number
  /** It may take so long even where the guard's own limit is shorter. */
  patienceMs?: number
  /** Goes on when nobody waits any longer: it changes something. */
  write?: boolean
  /** Nobody waits for it. */
  background?: boolean
}

/** A customer's own things in the ledger. Reads never reject, and fall back on what was last good; `…Now` reads and writes reject with UpstreamError alone. */
export interface AccountOffice {
  customer(customerId: string, asking: Asking): Promise<Filled<Customer>>
  credit(customerId: string, asking: Asking): Promise<Filled<Credit>>
  order(customerId: string, key: OrderKey, asking: Asking): Promise<Filled<Order>>
  orders(customerId: string, query: OrderQuery, asking: Asking): Promise<Filled<OrderPage>>
  payment(customerId: string, key: OrderKey, asking: Asking): Promise<Filled<Payment>>
  invoice(customerId: string, invoiceId: string, asking: Asking): Promise<Filled<Invoice>>
  invoices(customerId: string, query: InvoiceQuery, asking: Asking): Promise<Filled<InvoicePage>>

  customerNow(customerId: string, live: Live): Promise<Customer | null>
  findCustomerNow(email: string, live: Live): Promise<Customer | null>
  createCustomer(draft: CustomerDraft, live: Live): Promise<Customer>
  creditNow(customerId: string, live: Live): Promise<Credit | null>
  orderNow(customerId: string, key: OrderKey, live: Live): Promise<Order | null>
  placeOrder(draft: OrderDraft, live: Live): Promise<PlaceAnswer>
  cancelOrder(
    customerId: string,
    key: OrderKey,
    why: { reason: string; note: string | null },
    live: Live,
  ): Promise<CancelAnswer | null>
}

export interface AccountOfficeParts {
  owner: string
  cache: FairCache<Kept>
  accounting: { port: AccountingPort; guard: Guard } | undefined
  now: () => number
}

/** Asked each time, and kept only for when the ledger fails: what a customer owes and has ordered is shown as it is. */
const FRESHNESS: Freshness = { freshMs: 0, staleMs: 0, lastGoodMs: 3_600_000 }

type Method = Exclude<keyof AccountingPort, 'maxSkus'>

export function createAccountOffice({ owner, cache, accounting, now }: AccountOfficeParts): AccountOffice {
  /** One kind of read: grouped by customer, so that no two customers ever share a flight or a kept value. */
  function read<Q, V>(
    method: Method,
    ask: (port: Required<AccountingPort>, customerId: string, query: Q, call: Call) => Promise<V | null>,
  ) {
    const loader = createLoader<V>({
      ...{ owner, cache, now, system: 'accounting', name: `account.${method}`, windowMs: 0, maxIds: 1 },
      freshnessOf: () => FRESHNESS,
      ask: (customerId, [id], { requestId, trail }) => {
        if (!accounting?.port[method]) return unasked(absent(method))
        return accounting.guard.run({
          ...{ requestId, trail, operation: method, priority: 'cart', read: true },
          async work(call) {
            const value = await ask(accounting.port as Required<AccountingPort>, customerId, JSON.parse(id!) as Q, call)
            return new Map(value === null ? [] : [[id!, value]])
          },
        })
      },
    })
    return (customerId: string, query: Q, asking: Asking) => loader.one(customerId, JSON.stringify(query), asking)
  }

  function askNow<V>(
    method: Method,
    live: Live,
    work: (port: Required<AccountingPort>, call: Call) => Promise<V>,
  ): Promise<V> {
    if (!accounting?.port[method]) return Promise.reject(absent(method))
    return runLive({ system: 'accounting', operation: method }, accounting.guard, live, (call) =>
      work(accounting.port as Required<AccountingPort>, call),
    )
  }

  const customer = read<null, Customer>('customer', (port, id, _, call) => port.customer(id, call))
  const credit = read<null, Credit>('credit', (port, id, _, call) => port.credit(id, call))
  return {
    customer: (customerId, asking) => customer(customerId, null, asking),
    credit: (customerId, asking) => credit(customerId, null, asking),
    order: read<OrderKey, Order>('order', (port, id, key, call) => port.order(id, key, call)),
    orders: read<OrderQuery, OrderPage>('orders', (port, id, query, call) => port.orders(id, query, call)),
    payment: read<OrderKey, Payment>('payment', (port, id, key, call) => port.payment(id, key, call)),
    invoice: read<string, Invoice>('invoice', (port, id, invoiceId, call) => port.invoice(id, invoiceId, call)),
    invoices: read<InvoiceQuery, InvoicePage>('invoices', (port, id, query, call) => port.invoices(id, query, call)),

    customerNow: (id, live) => askNow('customer', live, (port, call) => port.customer(id, call)),
    findCustomerNow: (email, live) => askNow('findCustomer', live, (port, call) => port.findCustomer(email, call)),
    createCustomer: (draft, live) => askNow('createCustomer', live, (port, call) => port.createCustomer(draft, call)),
    creditNow: (id, live) => askNow('credit', live, (port, call) => port.credit(id, call)),
    orderNow: (id, key, live) => askNow('order', live, (port, call) => port.order(id, key, call)),
    placeOrder: (draft, live) =>
      askNow('placeOrder', { ...live, write: true }, (port, call) => port.placeOrder(draft, call)),
    cancelOrder: (id, key, why, live) =>
      askNow('cancelOrder', { ...live, write: true }, (port, call) => port.cancelOrder(id, key, why, call)),
  }
}

/** Asks at once, for this asker alone: nothing is kept, shared or filled from before. */
export async function runLive<V>(
  { system, operation }: { system: Source; operation: string },
  guard: Guard,
  { asking, priority, patienceMs = 0, timeoutMs = Math.max(patienceMs, guard.limits.timeoutMs), ...how }: Live,
  work: (call: Call) => Promise<V>,
): Promise<V> {
  const fault = asking.faults[system]
  if (fault) throw askedFor(fault, system)
  const { requestId, trail } = asking
  const { write = false, background = false } = how
  const running = guard.run({ ...{ requestId, trail, operation, priority, read: !write }, background, work, timeoutMs })
  for (const call of running.calls) asking.calls.add(call)
  if (write) return running.answer
  const onLeave = (outOfTime: boolean) => running.abandon(outOfTime)
  asking.onLeave(onLeave)
  try {
    return await running.answer
  } finally {
    asking.offLeave(onLeave)
  }
}

const absent = (method: string) =>
  new UpstreamError('not_configured', `the ledger has no ${method}`, { system: 'accounting' })
