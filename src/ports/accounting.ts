import type { Call } from './call.ts'
import type { ChangePage, ChangeQuery } from './change-feed.ts'
import type { Customer, CustomerDraft } from './customer.ts'
import type { DeliveryOption, DeliveryOptionsQuery } from './delivery.ts'
import type { Invoice, InvoiceChange, InvoicePage, InvoiceQuery } from './invoice.ts'
import type {
  CancelOrderResult,
  Order,
  OrderDraft,
  OrderKey,
  OrderPage,
  OrderQuery,
  Payment,
  PlaceOrderResult,
} from './order.ts'
import type { Amount } from './pricing.ts'

/** The tax on a sale of one SKU. `rate` is a fraction as a decimal string: "0.15". */
export interface Tax {
  sku: string
  code: string
  name: string
  rate: string
}

/** The credit of a customer. Its figures are `null` when there is no credit account (`enabled` is false). */
export interface Credit {
  customer_id: string
  enabled: boolean
  on_hold: boolean
  credit_limit: Amount | null
  /** The sum of open invoices. */
  balance: Amount | null
  /** The sum of confirmed orders that are not invoiced. */
  open_orders: Amount | null
  /** The most that another order on credit terms may cost: at most limit − balance − open orders, by the ledger's own figures. May be negative. */
  available_credit: Amount | null
  /** True when the limit also applies to orders that are paid on delivery. */
  holds_cash_orders?: boolean
  overdue_balance: Amount | null
  terms: { code: string; days: number; description: string } | null
  aging: Record<'current' | 'days_1_30' | 'days_31_60' | 'days_61_90' | 'days_over_90', Amount> | null
  /** RFC 3339, UTC. */
  as_of: string
}

/** How Forecourt reserves credit, for a system that does not check the credit limit when it takes an order. */
export interface CreditReservation {
  /** For how long a placed order may be missing from `credit`. 0: every later read includes it. */
  exposureDelaySeconds: number
  /** The limit also applies to orders that are paid on delivery: the system's `Credit` has `holds_cash_orders`. */
  cashOrders?: boolean
}

/**
 * The port of the accounting system (the ledger). Every method rejects only with UpstreamError. An operation that a system does not
 * offer is absent. Calls about a customer carry the customer's id; data of other customers is treated as absent.
 */
export interface AccountingPort {
  readonly maxSkus: number
  /** Returns the tax of each SKU for an anonymous shopper, or for a customer (exempt ones have rate "0"). Omits unknown SKUs. */
  taxes(skus: readonly string[], customerId: string | null, call: Call): Promise<Tax[]>

  customer?(customerId: string, call: Call): Promise<Customer | null>
  /** Returns the customer with this email address, compared case-insensitively, or `null`. Registration ignores a result whose `email` differs. */
  findCustomer?(email: string, call: Call): Promise<Customer | null>
  /** Looks up `draft.reference` before it creates, so that a repeated call creates only one customer. */
  createCustomer?(draft: CustomerDraft, call: Call): Promise<Customer>
  /** Returns `null` when the customer does not exist. */
  credit?(customerId: string, call: Call): Promise<Credit | null>

  /**
   * Returns the ways in which an order can get to the customer, with their prices; empty when there are none. `placeOrder` computes the
   * price of the chosen one (`draft.delivery`) again, and refuses with TOTALS_DISAGREE when it differs or is not offered any more.
   */
  deliveryOptions?(query: DeliveryOptionsQuery, call: Call): Promise<DeliveryOption[]>
  /**
   * Places an order exactly once. The system looks up `draft.reference` first and always returns the first result for it, even a refusal,
   * however often, late or concurrently it is called. It computes the totals itself and refuses an order that differs by a cent. It checks
   * the credit limit in the same transaction that creates the order, unless the port has `creditReservation`.
   */
  placeOrder?(draft: OrderDraft, call: Call): Promise<PlaceOrderResult>
  /**
   * Present if the system cannot check the credit limit in `placeOrder`. Forecourt then reserves the total of each order in its own store,
   * until `credit` includes the order or the order has ended. It does not see what staff confirm meanwhile.
   */
  readonly creditReservation?: CreditReservation
  order?(customerId: string, key: OrderKey, call: Call): Promise<Order | null>
  /** Returns orders of the ECOMMERCE channel, newest first. */
  orders?(customerId: string, query: OrderQuery, call: Call): Promise<OrderPage>
  /** Cancels an order, or returns `null` when it does not exist. Returns a cancelled order unchanged. */
  cancelOrder?(
    customerId: string,
    key: OrderKey,
    cancellation: { reason: string; note: string | null },
    call: Call,
  ): Promise<CancelOrderResult | null>
  /** Returns the payment session of a prepaid order, or `null` when the order does not exist. */
  payment?(customerId: string, key: OrderKey, call: Call): Promise<Payment | null>

  invoice?(customerId: string, invoiceId: string, call: Call): Promise<Invoice | null>
  /**
   * Returns the PDF of an invoice; `null` when the system has none. Called only for an invoice that `invoice` has
   * just returned for this customer. A document that is larger than MAX_INVOICE_DOCUMENT_BYTES of ports/invoice.ts fails.
   */
  invoiceDocument?(customerId: string, invoiceId: string, call: Call): Promise<Uint8Array | null>
  /** Newest first. */
  invoices?(customerId: string, query: InvoiceQuery, call: Call): Promise<InvoicePage>

  /** See InventoryPort. */
  readonly watermarkOverlapSeconds?: number
  /**
   * The change feed of ECOMMERCE orders of all customers: any change of status, shipments or invoices. An order appears
   * only when nothing is left for `placeOrder` to do, because an order that was reported is not sent again.
   */
  orderChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<Order>>
  /** The change feed of invoices and credit notes of all customers. */
  invoiceChanges?(query: ChangeQuery, call: Call): Promise<ChangePage<InvoiceChange>>
}
