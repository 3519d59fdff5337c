import type { StoredInvoice } from '../accounting/invoice-store.ts'
import type { StoredOrder } from '../accounting/order-store.ts'
import type { ShipmentRequest } from '../accounting/ship-order.ts'
import type { CreditAnswer } from '../protocol/customer-operations.ts'
import type { PaymentSession } from '../protocol/order-schemas.ts'
import { sendControlRequest } from './control-client.ts'

/** Returns every order of the ledger, with its payment session. */
export function listLedgerOrders(controlAddress: string, account: string): Promise<StoredOrder[]> {
  return sendControlRequest(controlAddress, 'GET', [account, 'orders']) as Promise<StoredOrder[]>
}

/** Returns every invoice and credit note of the ledger. */
export function listLedgerInvoices(controlAddress: string, account: string): Promise<StoredInvoice[]> {
  return sendControlRequest(controlAddress, 'GET', [account, 'invoices']) as Promise<StoredInvoice[]>
}

/** Returns the credit of a customer. */
export function readLedgerCredit(controlAddress: string, account: string, customerId: string): Promise<CreditAnswer> {
  return sendControlRequest(controlAddress, 'GET', [
    account,
    'customers',
    customerId,
    'credit',
  ]) as Promise<CreditAnswer>
}

/** Ships an order; by default everything that is not shipped yet. */
export function shipOrder(
  controlAddress: string,
  account: string,
  orderId: string,
  change: ShipmentRequest = {},
): Promise<StoredOrder> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'shipments', orderId], change) as Promise<StoredOrder>
}

/** Marks a shipped order as delivered. */
export function deliverOrder(controlAddress: string, account: string, orderId: string): Promise<StoredOrder> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'deliveries', orderId], {}) as Promise<StoredOrder>
}

/** Rejects a PENDING order. */
export function rejectOrder(controlAddress: string, account: string, orderId: string): Promise<StoredOrder> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'rejections', orderId], {}) as Promise<StoredOrder>
}

/** Cancels an order that has no shipment and no invoice other than a void one. */
export function cancelOrder(
  controlAddress: string,
  account: string,
  orderId: string,
  reason = 'OTHER',
): Promise<StoredOrder> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'cancellations', orderId], {
    reason,
  }) as Promise<StoredOrder>
}

/** Invoices a whole order. */
export function issueInvoice(controlAddress: string, account: string, orderId: string): Promise<StoredInvoice> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'invoices', orderId], {}) as Promise<StoredInvoice>
}

/** Pays an invoice; by default its whole balance. */
export function settleInvoice(
  controlAddress: string,
  account: string,
  invoiceId: string,
  amount?: string,
): Promise<StoredInvoice> {
  const body = amount === undefined ? {} : { amount }
  return sendControlRequest(controlAddress, 'PUT', [account, 'settlements', invoiceId], body) as Promise<StoredInvoice>
}

/** Voids an invoice without payments. */
export function voidInvoice(controlAddress: string, account: string, invoiceId: string): Promise<StoredInvoice> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'voids', invoiceId], {}) as Promise<StoredInvoice>
}

export async function setPaymentStatus(
  controlAddress: string,
  account: string,
  orderId: string,
  status: PaymentSession['status'],
): Promise<void> {
  await sendControlRequest(controlAddress, 'PUT', [account, 'payments', orderId], { status })
}

/** Puts an order into any status. */
export async function setOrderStatus(
  controlAddress: string,
  account: string,
  orderId: string,
  status: StoredOrder['status'],
): Promise<void> {
  await sendControlRequest(controlAddress, 'PUT', [account, 'statuses', orderId], { status })
}

export function setCreditLimit(
  controlAddress: string,
  account: string,
  customerId: string,
  limit: string,
): Promise<CreditAnswer> {
  return sendControlRequest(controlAddress, 'PUT', [account, 'credit', customerId], { limit }) as Promise<CreditAnswer>
}

/** Changes the price of a delivery option, before tax. */
export async function setDeliveryPrice(
  controlAddress: string,
  account: string,
  optionId: string,
  price: string,
): Promise<void> {
  await sendControlRequest(controlAddress, 'PUT', [account, 'delivery_prices', optionId], { price })
}
