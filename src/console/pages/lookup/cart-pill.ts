import type { CartRecord } from '../../../storage/commerce/carts.ts'
import type { StatusPill } from '../status-pill.ts'

export function toCartPill(
  { state, order_id, expires_at }: Pick<CartRecord, 'state' | 'order_id' | 'expires_at'>,
  now: number,
): StatusPill {
  if (state === 'CONVERTED') return { tone: 'well', text: 'Ordered' }
  if (state === 'EXPIRED' || Date.parse(expires_at) <= now) return { tone: '', text: 'Expired' }
  return order_id === null ? { tone: 'well', text: 'Open' } : { tone: 'warning', text: 'Being ordered' }
}
