import type { OrderRecord } from '../../storage/commerce/orders.ts'

/** Returns the number of an order, or why it has none. */
export const describeOrderNumber = ({ placed, status }: OrderRecord) =>
  placed?.order_number ?? (status === 'PENDING' ? 'none yet: accounting has not confirmed it' : 'none')
