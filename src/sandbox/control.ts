import type { Fault } from './faults.ts'
import type { StoredOrder } from './order-book.ts'
import type { CreditAnswer } from './protocol-customers.ts'
import type { Invoice } from './protocol-invoices.ts'
import type { Payment } from './protocol-order.ts'
import type { ShipmentChange } from './shipped.ts'

/** Sets what a system does wrong from now on, in place of what was set before. Resolves when it is so. */
export function setFault(controlAddress: string, fault: Fault): Promise<void> {
  return send(controlAddress, 'PUT', ['faults'], fault).then(nothing)
}

export function clearFaults(controlAddress: string): Promise<void> {
  return send(controlAddress, 'DELETE', ['faults']).then(nothing)
}

/** Calls since the start or the last reset, by operation. */
export function calls(controlAddress: string): Promise<Record<string, number>> {
  return send(controlAddress, 'GET', ['calls']) as Promise<Record<string, number>>
}

export function resetCalls(controlAddress: string): Promise<void> {
  return send(controlAddress, 'POST', ['calls', 'reset']).then(nothing)
}

export interface StockChange {
  available: number
  expected: { date: string; quantity: number }[]
}

export function setStock(controlAddress: string, account: string, sku: string, stock: StockChange): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'stock', sku], stock).then(nothing)
}

export interface ProductChange {
  name?: string
  description?: string | null
  brand?: string | null
  active?: boolean
  tags?: string[]
  /** media_ids in their new order; those left out are removed. */
  media?: string[]
}

/** Changes a product and answers its new change time. */
export async function changeProduct(
  controlAddress: string,
  account: string,
  sku: string,
  change: ProductChange,
): Promise<string> {
  const kept = (await send(controlAddress, 'PATCH', [account, 'products', sku], change)) as { updated_at: string }
  return kept.updated_at
}

/** Sets the list price, without quantity breaks. */
export function setPrice(controlAddress: string, account: string, sku: string, amount: string): Promise<void> {
  return send(controlAddress, 'PUT', [account, 'prices', sku], { amount }).then(nothing)
}

/** Every order that the ledger has, with its payment session. */
export function ledgerOrders(controlAddress: string, account: string): Promise<StoredOrder[]> {
  return send(controlAddress, 'GET', [account, 'orders']) as Promise<StoredOrder[]>
}

/** What the ledger says that a customer owes. */
export function ledgerCredit(controlAddress: string, account: string, customerId: string): Promise<CreditAnswer> {
  return send(controlAddress, 'GET', [account, 'customers', customerId, 'credit']) as Promise<CreditAnswer>
}

/** Sends a parcel; of all that is open, unless lines are given. */
export function shipOrder(
  controlAddress: string,
  account: string,
  orderId: string,
  change: ShipmentChange = {},
): Promise<StoredOrder> {
  return send(controlAddress, 'PUT', [account, 'shipments', orderId], change) as Promise<StoredOrder>
}

/** Invoices a whole order. */
export function issueInvoice(controlAddress: string, account: string, orderId: string): Promise<Invoice> {
  return send(controlAddress, 'PUT', [account, 'invoices', orderId], {}) as Promise<Invoice>
}

/** Pays an invoice; all of it, unless an amount is given. */
export function settleInvoice(
  controlAddress: string,
  account: string,
  invoiceId: string,
  amount?: string,
): Promise<Invoice> {
  const body = amount === undefined ? {} : { amount }
  return send(controlAddress, 'PUT', [account, 'settlements', invoiceId], body) as Promise<Invoice>
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
  if (!response.ok)
    throw new Error(`the sandbox refused ${method} ${segments.join('/')}: ${response.status} ${await response.text()}`)
  return response.json()
}

const nothing = () => {}
