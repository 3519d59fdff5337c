import type { OrderStatus } from '../../../src/ports/order.ts'
import type { PickingRow, SaleRow } from './sale-schemas.ts'

/** What the status of an order depends on. */
export interface StatusRow extends Pick<SaleRow, 'state' | 'delivery_status'> {
  picking_ids: readonly Pick<PickingRow, 'state' | 'picking_type_code'>[]
}

export function toStatus(row: StatusRow): OrderStatus {
  if (row.state === 'cancel') return 'CANCELLED'
  if (row.state !== 'sale') return 'PENDING'
  if (row.delivery_status === 'full') return 'SHIPPED'
  if (row.delivery_status !== 'started' && row.delivery_status !== 'partial') return 'CONFIRMED'
  return isShipped(row) ? 'SHIPPED' : 'PARTIALLY_SHIPPED'
}

/** To the customer from a warehouse, or from a supplier. */
const LEAVING = ['outgoing', 'dropship']

/** True when all has left. Odoo calls an order partially delivered again while goods of it are being returned. */
function isShipped({ picking_ids }: StatusRow): boolean {
  const outward = picking_ids.filter(({ picking_type_code }) => picking_type_code !== 'incoming')
  const hasLeft = outward.some(
    ({ state, picking_type_code }) =>
      state === 'done' && picking_type_code !== false && LEAVING.includes(picking_type_code),
  )
  return hasLeft && outward.every(({ state }) => state === 'done' || state === 'cancel')
}

/** The statuses that orders of the shop can have, as domains. An open return is among those partially shipped. */
export const statusDomains: Partial<Record<OrderStatus, unknown[]>> = {
  CONFIRMED: [
    ['state', '=', 'sale'],
    ['delivery_status', 'in', [false, 'pending']],
  ],
  PARTIALLY_SHIPPED: [
    ['state', '=', 'sale'],
    ['delivery_status', 'in', ['started', 'partial']],
  ],
  SHIPPED: [
    ['state', '=', 'sale'],
    ['delivery_status', '=', 'full'],
  ],
  CANCELLED: [['state', '=', 'cancel']],
}

/** The orders with an open return, some of which are shipped nevertheless. */
export const openReturnDomain: unknown[] = [
  ...statusDomains.PARTIALLY_SHIPPED!,
  ['picking_ids.picking_type_id.code', '=', 'incoming'],
  ['picking_ids.state', 'not in', ['done', 'cancel']],
]
