import { HttpError } from '../http/http-error.ts'
import type { AccountSystem, ControlChange } from '../protocol/operation-handlers.ts'
import type { CustomerCredit } from './customer-credit.ts'
import type { CustomerStore } from './customer-store.ts'
import type { InvoiceStore } from './invoice-store.ts'
import { toCancelledOrder, withOrderStatus } from './order-handlers.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'
import { type ShipmentRequest, toShippedOrder } from './ship-order.ts'

export interface LedgerControlParts {
  customers: CustomerStore
  book: OrderStore
  invoices: InvoiceStore
  credit: CustomerCredit
  now: () => Date
}

/** What the control listener may do to the ledger, and look at. */
export function createLedgerControl({
  customers,
  book,
  invoices,
  credit,
  now,
}: LedgerControlParts): Pick<AccountSystem<'accounting'>, 'changes' | 'reads'> {
  function known(orderId: string): StoredOrder {
    const order = book.order(orderId)
    if (!order) throw new HttpError(404, 'not_found', 'there is no such order')
    return order
  }
  /** The invoice of an order, other than a void one. */
  const owedFor = ({ customer_id, order_id }: StoredOrder) =>
    invoices.forCustomer(customer_id).find((invoice) => invoice.order_id === order_id && invoice.status !== 'VOID')
  function kept(order: StoredOrder): StoredOrder {
    book.save(order)
    return order
  }
  const at = () => now().toISOString()

  const changes: Record<string, ControlChange> = {
    shipments: (orderId, body) => kept(toShippedOrder(known(orderId), body as ShipmentRequest, at())),
    invoices(orderId) {
      const order = known(orderId)
      if (order.status === 'CANCELLED' || order.status === 'REJECTED')
        throw inState(order, 'nothing is owed for an order that came to nothing')
      const owed = owedFor(order)
      if (owed) throw new HttpError(409, 'invoiced', `${orderId} is invoiced already: ${owed.invoice_id}`)
      if (order.invoiced) throw new HttpError(409, 'invoiced', `${orderId} is invoiced already`)
      return invoices.issue(order)
    },
    settlements: (invoiceId, body) => invoices.settle(invoiceId, (body as { amount?: string }).amount),
    payments(orderId, body) {
      const order = known(orderId)
      const { status } = body as Pick<StoredOrder['payment'], 'status'>
      const payment = { ...order.payment, status, updated_at: at() }
      return kept({ ...order, payment_status: status, payment, updated_at: at() })
    },
    statuses: (orderId, body) =>
      kept(withOrderStatus(known(orderId), (body as { status: StoredOrder['status'] }).status, at())),
    deliveries(orderId) {
      const order = known(orderId)
      if (order.status !== 'SHIPPED') throw inState(order, 'only one that is SHIPPED, all of it, can arrive')
      return kept(withOrderStatus(order, 'DELIVERED', at()))
    },
    rejections(orderId) {
      const order = known(orderId)
      if (order.status !== 'PENDING') throw inState(order, 'only one that is PENDING can be rejected')
      return kept(withOrderStatus(order, 'REJECTED', at()))
    },
    cancellations(orderId, body) {
      const order = known(orderId)
      if (order.status !== 'PENDING' && order.status !== 'CONFIRMED')
        throw inState(order, 'only one that is PENDING or CONFIRMED can be cancelled')
      const owed = owedFor(order)
      if (owed) throw new HttpError(409, 'invoiced', `${orderId} is invoiced: void ${owed.invoice_id} first`)
      return kept(toCancelledOrder(order, (body as { reason?: string }).reason ?? 'OTHER', at()))
    },
    voids: (invoiceId) => invoices.void(invoiceId),
    credit(customerId, body) {
      const customer = customers.require(customerId)
      if (!customer.credit) throw new HttpError(409, 'no_credit', 'this customer has no credit account')
      customers.change({ ...customer, credit: { ...customer.credit, limit: (body as { limit: string }).limit } })
      return credit.read(customerId)
    },
  }
  return {
    changes,
    reads: {
      orders: () => book.all(),
      invoices: () => invoices.all(),
      customers: (customerId) => credit.read(customerId ?? ''),
    },
  }
}

const inState = ({ order_id, status }: StoredOrder, why: string) =>
  new HttpError(409, 'wrong_state', `${order_id} is ${status}: ${why}`)
