import type { OrderKey } from '../../ports/order.ts'

/** Converts an order id that a shopper knows to accounting's key. */
export const toAccountingOrderKey = (orderId: string): OrderKey =>
  orderId.startsWith('ord_') ? { reference: orderId } : { order_id: orderId }
