import { UpstreamError } from '../../../src/errors.ts'
import type { Credit, CreditReservation } from '../../../src/ports/accounting.ts'
import type { Order, OrderDraft, PlaceOrderResult } from '../../../src/ports/order.ts'
import type { QuoteRequest } from '../../../src/ports/pricing.ts'
import type { BackOffice } from '../../../src/upstream/back-office.ts'

export const LEDGER_TIME = '2026-01-01T00:00:00.000Z'

const customer = {
  customer_id: 'C-1',
  status: 'ACTIVE',
  payment_methods: ['CREDIT_TERMS', 'CASH_ON_DELIVERY'],
  first_name: 'Ann',
  last_name: 'Other',
  company: null,
  email: 'a@b.example',
  phone: null,
  addresses: [],
}

/** A ledger that accepts each order, whatever the credit limit is. One piece of the product A costs 10.00. */
export interface UncheckedLedger {
  readonly orders: ReadonlyMap<string, OrderDraft>
  /** Whether the credit includes the orders that were placed. */
  includesOrders: boolean
  creditReads: number
  /** What happens to a call; by default, the ledger responds. */
  onCredit: (number: number) => Promise<void>
  /** Called when an order arrives, and when it is placed. */
  onOrder: (draft: OrderDraft) => Promise<void>
  onPlaced: (draft: OrderDraft) => Promise<void>
  refusal: Extract<PlaceOrderResult, { state: 'refused' }> | null
  cancel(reference: string): Order
  placeOrder(draft: OrderDraft): Promise<PlaceOrderResult>
  backOffice: BackOffice
}

export function createUncheckedLedger(limit: number, creditReservation: CreditReservation | null): UncheckedLedger {
  const orders = new Map<string, OrderDraft>()
  const exposure = () => [...orders.values()].reduce((sum, { totals }) => sum + Number(totals.total), 0)
  const ledger: UncheckedLedger = {
    orders,
    includesOrders: true,
    creditReads: 0,
    onCredit: async () => {},
    onOrder: async () => {},
    onPlaced: async () => {},
    refusal: null,
    cancel(reference) {
      const draft = orders.get(reference)!
      orders.delete(reference)
      return toOrder(draft, 'CANCELLED')
    },
    async placeOrder(draft) {
      await ledger.onOrder(draft)
      if (ledger.refusal) return ledger.refusal
      orders.set(draft.reference, draft)
      await ledger.onPlaced(draft)
      return { state: 'placed', order: toOrder(draft, 'CONFIRMED') }
    },
    backOffice: {
      today: () => '2026-01-01',
      async quoteNow({ lines }: QuoteRequest) {
        const price = { unit_price: '10.00', list_unit_price: '10.00', discount: '0.00', tax_included: false }
        return {
          lines: lines.map(({ line_id, sku }) => ({ line_id, sku, ...price })),
          promotions: [],
          as_of: LEDGER_TIME,
        }
      },
      taxesNow: async () => new Map([['A', { code: 'NONE', name: 'None', rate: '0' }]]),
      itemsNow: async () => new Map([['A', { product: { active: true }, banded: { band: 'IN', eta: null } }]]),
      accounting: {
        creditReservation,
        customerNow: async () => customer,
        async creditNow() {
          ledger.creditReads += 1
          const available = limit - (ledger.includesOrders ? exposure() : 0)
          await ledger.onCredit(ledger.creditReads)
          return toCredit(limit, available, creditReservation?.cashOrders)
        },
        placeOrder: (draft: OrderDraft) => ledger.placeOrder(draft),
      },
    } as unknown as BackOffice,
  }
  return ledger
}

/** A failure after which nobody knows whether the order was placed. */
export const noResponse = () => Promise.reject(new UpstreamError('timeout', 'no response'))

const toCredit = (limit: number, available: number, holdsCash = false): Credit => ({
  customer_id: 'C-1',
  enabled: true,
  on_hold: false,
  credit_limit: limit.toFixed(2),
  balance: '0.00',
  open_orders: (limit - available).toFixed(2),
  available_credit: available.toFixed(2),
  ...(holdsCash && { holds_cash_orders: true }),
  overdue_balance: '0.00',
  terms: null,
  aging: null,
  as_of: LEDGER_TIME,
})

const toOrder = ({ channel: _, ...draft }: OrderDraft, status: Order['status']): Order => ({
  ...draft,
  order_id: `SO-${draft.reference}`,
  order_number: `SO-${draft.reference}`,
  status,
  placed_at: LEDGER_TIME,
  payment_status: 'NOT_REQUIRED',
  updated_at: LEDGER_TIME,
  shipments: [],
  invoiced: false,
  cancelled_at: status === 'CANCELLED' ? LEDGER_TIME : null,
  cancel_reason: null,
  history: [],
})
