import type { OrderRecord } from '../../storage/commerce/orders.ts'

const statusTexts: Readonly<Record<OrderRecord['status'], string>> = {
  PENDING: 'Waiting for accounting',
  CONFIRMED: 'Confirmed',
  REJECTED: 'Rejected',
  CANCELLED: 'Cancelled',
}

/** Returns the state of an order, as all pages call it. */
export const describeOrderStatus = (status: string): string => statusTexts[status as OrderRecord['status']] ?? status
