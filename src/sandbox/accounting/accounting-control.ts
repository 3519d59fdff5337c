import { HttpError } from '../http/http-error.ts'
import type { ControlChange, SystemAccount } from '../system-account.ts'
import { toCancelledOrder, withOrderStatus } from './change-order-status.ts'
import type { CustomerCredit } from './customer-credit.ts'
import type { CustomerStore } from './customer-store.ts'
import type { DeliveryOptionStore } from './delivery-option-store.ts'
import type { InvoiceStore } from './invoice-store.ts'
import type { OrderStore, StoredOrder } from './order-store.ts'
import { type ShipmentRequest, toShippedOrder } from './ship-order.ts'

export interface AccountingControlParts {
  customers: CustomerStore
  orders: OrderStore
  invoices: InvoiceStore
  deliveries: DeliveryOptionStore
  credit: CustomerCredit
  now: () => Date
}

/** The changes and reads that the control API offers on the ledger. */
export function createAccountingControl({
  customers,
  orders,
  invoices,
  deliveries: deliveryPrices,
  credit,
  now,
}: AccountingControlParts): Pick<SystemAccount<'accounting'>, 'controlChanges' | 'controlReads'> {
  function requireOrder(orderId: string): StoredOrder {
    const order = orders.find(orderId)
    if (!order) throw new HttpError(404, 'not_found', 'the order does not exist')
    return order
  }
  /** The invoice of an order, unless it is void. */
  const findValidInvoice = ({ customer_id, order_id }: StoredOrder) =>
    invoices.listForCustomer(customer_id).find((invoice) => invoice.order_id === order_id && invoice.status !== 'VOID')
  function save(order: StoredOrder): StoredOrder {
    orders.save(order)
    return order
  }
  const nowIso = () => now().toISOString()

  const controlChanges: Record<string, ControlChange> = {
    shipments: (orderId, body) => save(toShippedOrder(requireOrder(orderId), body as ShipmentRequest, nowIso())),
    invoices(orderId) {
      const order = requireOrder(orderId)
      if (order.status === 'CANCELLED' || order.status === 'REJECTED')
        throw wrongState(order, 'a cancelled or rejected order cannot be invoiced')
      const invoice = findValidInvoice(order)
      if (invoice) throw new HttpError(409, 'invoiced', `${orderId} is already invoiced: ${invoice.invoice_id}`)
      if (order.invoiced) throw new HttpError(409, 'invoiced', `${orderId} is already invoiced`)
      return invoices.issue(order)
    },
    settlements: (invoiceId, body) => invoices.settle(invoiceId, (body as { amount?: string }).amount),
    payments(orderId, body) {
      const order = requireOrder(orderId)
      const { status } = body as Pick<StoredOrder['payment'], 'status'>
      const payment = { ...order.payment, status, updated_at: nowIso() }
      return save({ ...order, payment_status: status, payment, updated_at: nowIso() })
    },
    statuses: (orderId, body) =>
      save(withOrderStatus(requireOrder(orderId), (body as { status: StoredOrder['status'] }).status, nowIso())),
    deliveries(orderId) {
      const order = requireOrder(orderId)
      if (order.status !== 'SHIPPED') throw wrongState(order, 'only a SHIPPED order can be delivered')
      return save(withOrderStatus(order, 'DELIVERED', nowIso()))
    },
    rejections(orderId) {
      const order = requireOrder(orderId)
      if (order.status !== 'PENDING') throw wrongState(order, 'only a PENDING order can be rejected')
      return save(withOrderStatus(order, 'REJECTED', nowIso()))
    },
    cancellations(orderId, body) {
      const order = requireOrder(orderId)
      if (order.status !== 'PENDING' && order.status !== 'CONFIRMED')
        throw wrongState(order, 'only a PENDING or CONFIRMED order can be cancelled')
      const invoice = findValidInvoice(order)
      if (invoice) throw new HttpError(409, 'invoiced', `${orderId} is invoiced: void ${invoice.invoice_id} first`)
      return save(toCancelledOrder(order, (body as { reason?: string }).reason ?? 'OTHER', nowIso()))
    },
    voids: (invoiceId) => invoices.void(invoiceId),
    delivery_prices: (optionId, body) => deliveryPrices.setPrice(optionId, (body as { price: string }).price),
    credit(customerId, body) {
      const customer = customers.require(customerId)
      if (!customer.credit) throw new HttpError(409, 'no_credit', 'the customer has no credit account')
      customers.change({ ...customer, credit: { ...customer.credit, limit: (body as { limit: string }).limit } })
      return credit.read(customerId)
    },
  }
  return {
    controlChanges,
    controlReads: {
      orders: () => orders.all(),
      invoices: () => invoices.all(),
      customers: (customerId) => credit.read(customerId ?? ''),
    },
  }
}

const wrongState = ({ order_id, status }: StoredOrder, reason: string) =>
  new HttpError(409, 'wrong_state', `${order_id} is ${status}: ${reason}`)
