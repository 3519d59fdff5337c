import type { DeliveryRow, DeliverySummary } from '../../../storage/webhooks/deliveries.ts'
import type { DisplayTime } from '../../text/format-times.ts'

const outcomePills = {
  PENDING: { tone: '', text: 'Pending' },
  DELIVERED: { tone: 'well', text: 'Delivered' },
  EXHAUSTED: { tone: 'failing', text: 'Abandoned' },
  SUPERSEDED: { tone: '', text: 'Superseded' },
  CANCELLED: { tone: 'warning', text: 'Cancelled' },
} as const

const causes = { EVENT: 'event', REDELIVERY: 'redelivered', RECOVERY: 'recovered' } as const

/** An attempt normally begins within seconds of its due time. */
export const LATE_MS = 10_000

/** Returns whether a pending delivery has been due for LATE_MS, for example because others are ahead of it. */
export const isDeliveryLate = ({ due_at }: Pick<DeliverySummary, 'due_at'>, now: number): boolean =>
  now - Date.parse(due_at) > LATE_MS

/** A delivery as pages show it: without the content of its event. */
export function toDeliveryRowView(
  delivery: DeliverySummary | DeliveryRow,
  toTime: (at: string) => DisplayTime,
  now: number,
) {
  const { delivery_id, subscription_id, status, ended_at, due_at } = delivery
  return {
    id: delivery_id,
    href: `/webhooks/${subscription_id}/deliveries/${delivery_id}`,
    eventType: delivery.event_type,
    eventId: delivery.event_id,
    cause: causes[delivery.cause],
    pill: outcomePills[status],
    attempts: delivery.attempts,
    responseStatus: delivery.response_status,
    createdAt: toTime(delivery.created_at),
    endedAt: ended_at && toTime(ended_at),
    nextAttemptAt: status === 'PENDING' && due_at ? toTime(due_at) : null,
    isLate: status === 'PENDING' && isDeliveryLate(delivery, now),
  }
}
