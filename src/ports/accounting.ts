import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery } from './change-feed.ts'
import type { Customer, CustomerDraft } from './customer.ts'
import type { Invoice, InvoiceChange, InvoicePage, InvoiceQuery } from './invoice.ts'
import type { CancelOrderResult, Order, OrderDraft, OrderPage, OrderQuery, Payment, PlaceOrderResult } from './order.ts'
import type { Amount } from './pricing.ts'

/** The tax that the ledger would put on one sale of this SKU. `rate` is a decimal-string fraction: "0.15". */
export interface Tax {
  sku: string
  code: string
  name: string
  rate: string
}

/** What a customer owes and may still owe. `null` figures: there is no credit account (`enabled` is false). */
export interface Credit {
  customer_id: string
  enabled: boolean
  on_hold: boolean
  credit_limit: Amount | null
  /** Of open invoices. */
  balance: Amount | null
  /** Of confirmed orders that are not invoiced. */
  open_orders: Amount | null
  /** What an order on credit terms may still cost: never more than limit − balance − open orders, as the ledger itself counts; may be below 0. */
  available_credit: Amount | null
  /** The limit holds orders that are paid on delivery too; false when it is not said. */
  holds_cash_orders?: boolean
  overdue_balance: Amount | null
  terms: { code: string; days: number; description: string } | null
  aging: Record<'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90', Amount> | null
  /** RFC 3339, UTC. */
  as_of: string
}

/** An order, for the calls that concern one: by the reference it was placed with, or by the ledger's own id. */
export type OrderKey = { reference: string } | { order_id: string }

/**
 * What Forecourt asks of the ledger. Every method rejects with UpstreamError alone; one that a system cannot offer is left out.
 * Everything of a customer is asked for with that customer's id, and what belongs to another is answered as absent.
 */
export interface AccountingPort {
  readonly maxSkus: number
  /** The tax of each SKU for an anonymous shopper, or for a customer (exempt ones have rate "0"); unknown SKUs are left out. */
  taxes(skus: readonly string[], customerId: string | null, call: Call): Promise<Tax[]>

  customer?(customerId: string, call: Call): Promise<Customer | null>
  /** The customer with this mailbox, compared without regard to case; `null`: none. One whose `email` is another is linked with nobody. */
  findCustomer?(email: string, call: Call): Promise<Customer | null>
  /** Searches for `draft.reference` before it creates, so that asking twice makes one customer. */
  createCustomer?(draft: CustomerDraft, call: Call): Promise<Customer>
  /** `null`: there is no such customer. */
  credit?(customerId: string, call: Call): Promise<Credit | null>

  /**
   * Exactly once: the system looks for `draft.reference` first and gives the same answer to it for ever, a refusal too, whatever
   * happens to be asked at once, late or again. It counts the totals itself and refuses what does not agree to the cent, and it holds the
   * credit limit in the same step as it creates.
   */
  placeOrder?(draft: OrderDraft, call: Call): Promise<PlaceOrderResult>
  order?(customerId: string, key: OrderKey, call: Call): Promise<Order | null>
  /** Orders of the ECOMMERCE channel, newest first. */
  orders?(customerId: string, query: OrderQuery, call: Call): Promise<OrderPage>
  /** `null`: there is no such order. Cancelling a cancelled order answers it as it is. */
  cancelOrder?(
    customerId: string,
    key: OrderKey,
    why: { reason: string; note: string | null },
    call: Call,
  ): Promise<CancelOrderResult | null>
  /** The payment session of a prepaid order; `null`: there is no such order. */
  payment?(customerId: string, key: OrderKey, call: Call): Promise<Payment | null>

  invoice?(customerId: string, invoiceId: string, call: Call): Promise<Invoice | null>
  /** Newest first. */
  invoices?(customerId: string, query: InvoiceQuery, call: Call): Promise<InvoicePage>

  /** As in InventoryPort. */
  readonly watermarkOverlapSeconds?: number
  /** Orders of the ECOMMERCE channel, of all customers, that changed in any way: a new state, a parcel, an invoice. */
  orderChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<Order>>
  /** Invoices and credit notes of all customers. */
  invoiceChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<InvoiceChange>>
}
