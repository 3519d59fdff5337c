import type { StoredInvoice } from '../accounting/invoice-store.ts'
import type { StoredOrder } from '../accounting/order-store.ts'
import type { ShipmentRequest } from '../accounting/ship-order.ts'
import type { StoredProduct, StoredStock } from '../inventory/catalog-store.ts'
import type { StoredPrice } from '../pricing/price-store.ts'
import type { CreditAnswer } from '../protocol/customer-operations.ts'
import type { Payment } from '../protocol/order-schemas.ts'
import type { Fault } from './fault-injection.ts'

/** What a control listener answered to a change that it did not make; `detail` is a sentence for people. */
export class ControlError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string

  constructor(what: string, status: number, text: string) {
    super(`the sandbox refused ${what}: ${status} ${text}`)
    this.name = 'ControlRefused'
    this.status = status
    const { error = '', detail = text } = parsed(text)
    this.code = error
    this.detail = detail
  }
}

/** Sets what a system does wrong from now on, in place of what was set before. Resolves when it is so. */
export function setFault(controlAddress: string, fault: Fault): Promise<void> {
  return send(controlAddress, 'PUT', ['faults'], fault).then(nothing)
}

export function clearFaults(controlAddress: string): Promise<void> {
  return send(controlAddress, 'DELETE', ['faults']).then(nothing)
}

/** Calls since the start or the last reset, by operation. */
export function readCallCounts(controlAddress: string): Promise<Record<string, number>> {
  return send(controlAddress, 'GET', ['calls']) as Promise<Record<string, number>>
}

export function resetCallCounts(controlAddress: string): Promise<void> {
  return send(controlAddress, 'POST', ['calls', 'reset']).then(nothing)
}

export interface StockUpdate {
  available: number
  /** Left out: those that were there stay. */
  expected?: { date: string; quantity: number }[]
}

/** Answers what is now on the shelf and on its way. */
export function setStock(
  controlAddress: string,
  account: string,
  sku: string,
  stock: StockUpdate,
): Promise<StoredStock> {
  return send(controlAddress, 'PUT', [account, 'stock', sku], stock) as Promise<StoredStock>
}

export interface ProductUpdate {
  name?: string
  description?: string | null
  brand?: string | null
  active?: boolean
  tags?: string[]
  /** media_ids in their new order; those left out are removed. */
  media?: string[]
}

/** Changes a product and answers its new change time. */
export async function updateProduct(
  controlAddress: string,
  account: string,
  sku: string,
  change: ProductUpdate,
): Promise<string> {
  const kept = (await send(controlAddress, 'PATCH', [account, 'products', sku], change)) as { updated_at: string }
  return kept.updated_at
}

/** A product as it is kept, deactivated or not. */
export function readStoredProduct(controlAddress: string, account: string, sku: string): Promise<StoredProduct> {
  return send(controlAddress, 'GET', [account, 'products', sku]) as Promise<StoredProduct>
}

/** Takes a product out of the catalog, or back into it, and answers its new change time. */
export const withdrawProduct = (controlAddress: string, account: string, sku: string): Promise<string> =>
  updateProduct(controlAddress, account, sku, { active: false })

export const restoreProduct = (controlAddress: string, account: string, sku: string): Promise<string> =>
  updateProduct(controlAddress, account, sku, { active: true })

export function readListPrice(controlAddress: string, account: string, sku: string): Promise<StoredPrice> {
  return send(controlAddress, 'GET', [account, 'prices', sku]) as Promise<StoredPrice>
}

/** Sets the list price, without quantity breaks. A SKU that has none gets it for one `uom`. */
export function setPrice(
  controlAddress: string,
  account: string,
  sku: string,
  amount: string,
  uom?: string,
): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'prices', sku], { amount, uom }).then(nothing)
}

/** Every order that the ledger has, with its payment session. */
export function listLedgerOrders(controlAddress: string, account: string): Promise<StoredOrder[]> {
  return send(controlAddress, 'GET', [account, 'orders']) as Promise<StoredOrder[]>
}

/** Every invoice and credit note that the ledger has. */
export function listLedgerInvoices(controlAddress: string, account: string): Promise<StoredInvoice[]> {
  return send(controlAddress, 'GET', [account, 'invoices']) as Promise<StoredInvoice[]>
}

/** What the ledger says that a customer owes. */
export function readLedgerCredit(controlAddress: string, account: string, customerId: string): Promise<CreditAnswer> {
  return send(controlAddress, 'GET', [account, 'customers', customerId, 'credit']) as Promise<CreditAnswer>
}

/** Sends a parcel; of all that is open, unless lines are given. */
export function shipOrder(
  controlAddress: string,
  account: string,
  orderId: string,
  change: ShipmentRequest = {},
): Promise<StoredOrder> {
  return send(controlAddress, 'PUT', [account, 'shipments', orderId], change) as Promise<StoredOrder>
}

/** All of an order has arrived; it must have left. */
export function deliverOrder(controlAddress: string, account: string, orderId: string): Promise<StoredOrder> {
  return send(controlAddress, 'PUT', [account, 'deliveries', orderId], {}) as Promise<StoredOrder>
}

/** Refuses an order that is PENDING. */
export function rejectOrder(controlAddress: string, account: string, orderId: string): Promise<StoredOrder> {
  return send(controlAddress, 'PUT', [account, 'rejections', orderId], {}) as Promise<StoredOrder>
}

/** Cancels an order as a clerk: one that nothing has left of, and without an invoice other than a void one. */
export function cancelOrder(
  controlAddress: string,
  account: string,
  orderId: string,
  reason = 'OTHER',
): Promise<StoredOrder> {
  return send(controlAddress, 'PUT', [account, 'cancellations', orderId], { reason }) as Promise<StoredOrder>
}

/** Invoices a whole order. */
export function issueInvoice(controlAddress: string, account: string, orderId: string): Promise<StoredInvoice> {
  return send(controlAddress, 'PUT', [account, 'invoices', orderId], {}) as Promise<StoredInvoice>
}

/** Pays an invoice; all of it, unless an amount is given. */
export function settleInvoice(
  controlAddress: string,
  account: string,
  invoiceId: string,
  amount?: string,
): Promise<StoredInvoice> {
  const body = amount === undefined ? {} : { amount }
  return send(controlAddress, 'PUT', [account, 'settlements', invoiceId], body) as Promise<StoredInvoice>
}

/** Takes back an invoice that nothing was paid of. */
export function voidInvoice(controlAddress: string, account: string, invoiceId: string): Promise<StoredInvoice> {
  return send(controlAddress, 'PUT', [account, 'voids', invoiceId], {}) as Promise<StoredInvoice>
}

export function setPaymentStatus(
  controlAddress: string,
  account: string,
  orderId: string,
  status: Payment['status'],
): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'payments', orderId], { status }).then(nothing)
}

/** Puts an order into any state, as a clerk may. */
export function setOrderStatus(
  controlAddress: string,
  account: string,
  orderId: string,
  status: StoredOrder['status'],
): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'statuses', orderId], { status }).then(nothing)
}

export function setCreditLimit(
  controlAddress: string,
  account: string,
  customerId: string,
  limit: string,
): Promise<CreditAnswer> {
  return send(controlAddress, 'PUT', [account, 'credit', customerId], { limit }) as Promise<CreditAnswer>
}

async function send(controlAddress: string, method: string, segments: string[], body?: unknown): Promise<unknown> {
  const response = await fetch(`${controlAddress}/${segments.map(encodeURIComponent).join('/')}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  if (!response.ok) throw new ControlError(`${method} ${segments.join('/')}`, response.status, await response.text())
  return response.json()
}

const nothing = () => {}

function parsed(text: string): { error?: string; detail?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
