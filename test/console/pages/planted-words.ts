import type { OrderDraft } from '../../../src/ports/order.ts'

export const EMAIL = 'planted.mailbox@shopper.example'

/** Words that no page and no export may show. */
export const PLANTED = [
  EMAIL,
  'planted-hash',
  'Planted Street',
  'Planted Person',
  'planted-phone',
  'planted-note',
  'planted-po',
  '987654',
] as const

/** An order with a planted word in each member that pages do not show. */
export function draftWithSecrets(reference: string, customer_id: string): OrderDraft {
  const address = { name: 'Planted Person', line1: '1 Planted Street', phone: 'planted-phone' } as never
  return {
    reference,
    customer_id,
    channel: 'ECOMMERCE',
    currency: 'JMD',
    payment_method: 'CASH_ON_DELIVERY',
    fulfillment_method: 'PICKUP',
    shipping_address: address,
    billing_address: address,
    contact: { name: 'Planted Person', phone: 'planted-phone', email: EMAIL },
    po_number: 'planted-po',
    notes: 'planted-note',
    requested_date: null,
    lines: [],
    promotions: [],
    totals: {
      subtotal: '10.00',
      discount_total: '0.00',
      tax_total: '0.00',
      shipping_total: '0.00',
      total: '10.00',
      taxes: [],
      tax_included: false,
    },
  }
}
