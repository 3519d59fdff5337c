import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Address } from '../../../src/ports/customer.ts'
import type { FitmentPort } from '../../../src/ports/fitment.ts'
import type { InventoryPort } from '../../../src/ports/inventory.ts'
import type { PaymentStatus } from '../../../src/ports/order.ts'
import type { PricingPort } from '../../../src/ports/pricing.ts'
import type { Goods } from './order-draft.ts'

export interface Ports {
  inventory?: InventoryPort
  pricing?: PricingPort
  accounting?: AccountingPort
}

/** An adapter with its own client, which it closes on disposal. */
export type Connected = Ports & { fitment?: FitmentPort } & AsyncDisposable

/** Returns the address to use instead of a system's own: the suite puts a proxy between an adapter and its systems. */
export type AddressRewrite = (address: string) => string

/** An adapter, and the facts of the back office behind it. */
export interface Subject {
  facts: Facts
  clerk?: Partial<Clerk>
  /**
   * Connects the adapter with a client that accepts responses of up to 8,000,000 bytes and the `pictureUrls` of
   * test/support. Each address goes through `way`.
   */
  connect(way: AddressRewrite): Connected
  close(): Promise<void>
}

/** Actions of staff in the back office. Each returns the id of the record that it changed. */
export interface Clerk {
  product(): Promise<string>
  stock(): Promise<string>
  price(): Promise<string>
  order(): Promise<string>
  invoice(): Promise<string>
  /** Ships all of a confirmed order that is not shipped yet. Rejects for one that cannot be shipped. */
  ship(orderId: string): Promise<unknown>
  /** Ships this quantity of a SKU of an order. */
  shipPart(orderId: string, sku: string, quantity: string): Promise<unknown>
  /** Reads an order in the fields of the back office that staff work with, not where the adapter may keep more. */
  read(orderId: string): Promise<StaffOrder>
  /** Invoices all of a confirmed order. */
  bill(orderId: string): Promise<unknown>
}

/** An order as staff see it. Quantities and prices are in the format of the port. */
export interface StaffOrder {
  po_number: string | null
  requested_date: string | null
  /** The city of the shipping address. */
  city: string | null
  lines: { sku: string; quantity: string; unit_price: string }[]
}

/** The facts of the data of a merchant that requirements rely on. */
export interface Facts {
  /** At least three active SKUs with a price, in any order. */
  skus: [string, string, string, ...string[]]
  unknownSku: string
  unknownCustomerId: string
  deactivatedSku?: string
  /** SKUs with slashes, spaces and other special characters. */
  awkwardSkus?: string[]
  /** SKUs with several records: the name and, if any, the list price of the record that counts. */
  duplicateSkus?: { sku: string; name: string; amount?: string }[]
  /** Two words or more, and a SKU that they find. */
  search?: { q: string; sku: string }
  /** A category below another one. */
  category?: { category_id: string; slug: string; sku: string }
  tag?: { tag: string; sku: string }
  /** A SKU with a picture that Forecourt fetches. */
  pictureSku?: string
  vehicle?: { vehicle_id: number; sku: string }
  unknownVehicleId?: number
  /** A SKU with an open receipt that is not overdue. */
  expectedSku?: string
  /** A service, or goods that are not stored. */
  untrackedSku?: string
  /** A SKU that is sold while it is out of stock, and one that is not. */
  backorderPolicy?: { soldSku: string; keptSku: string }
  /** SKUs of the same parent. The first of `skus` is no variant. */
  variants?: string[]
  /** A SKU whose stock is known at several branches. */
  branchSku?: string
  unpricedSku?: string
  /** A customer, a SKU that has a price of its own for them, and a customer who pays another price for it. */
  contract?: { customerId: string; sku: string; otherId: string }
  /** A customer, and a SKU whose price for them falls with the quantity. */
  breaks?: { customerId: string; sku: string }
  /** A SKU with its tax rate, a decimal-string fraction. */
  tax?: { sku: string; rate: string }
  exemptCustomerId?: string
  /** A customer with spare credit and past orders, and another customer. */
  customer?: { customerId: string; email: string; otherId: string }
  /** A customer without a credit account. */
  cashCustomerId?: string
  onHoldCustomerId?: string
  /** Goods that the first customer may order, and their price. */
  goods?: Goods
  /** More goods with the same tax and currency. */
  otherGoods?: Goods
  /** An address to which the ledger offers a delivery that costs something. */
  deliveryAddress?: Address
  /** The accounting system computes the prices of an order itself. */
  ledgerHasPrices?: true
  /** The past of the first customer: a shipped order, and two invoices. */
  past?: { shippedOrderId: string; overdueInvoiceId: string; paidInvoiceId: string }
  /** A credit note of the first customer. */
  creditNoteId?: string
  /** An invoice of the first customer's of which there is a PDF. */
  documentInvoiceId?: string
  /** An order that was not placed online. */
  otherChannel?: { customerId: string; orderId: string }
  /** An order of the first customer's that is paid through a payment session. */
  prepaid?: { orderId: string; status: PaymentStatus }
  /** A code that applies to the SKU of `contract`, and one that does not, with the reason. */
  promotions?: { applying: string; refused: string; reason: string }
}

/** A fact that a back office may lack, or an action that no one can perform there. */
export type Fact = Exclude<keyof Facts, 'skus' | 'unknownSku' | 'unknownCustomerId'> | `clerk.${keyof Clerk}`
