import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { OrderTryRow } from '../../../storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import { listUnseenFailedCalls } from '../../text/failed-call-text.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { formatElapsedMs } from '../../text/format-durations.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { capitalizeOrderAttempt, isWithoutCall } from '../../text/order-attempt-text.ts'
import { describeOrderNumber } from '../../text/order-number-text.ts'

/** Returns the attempts to place an order, and what else confirmed it. */
export function toOrderTryViews(
  order: OrderRecord,
  tries: readonly OrderTryRow[],
  toTime: (at: string) => DisplayTime,
) {
  const isReported = order.status === 'CONFIRMED' && !tries.some(({ outcome }) => outcome === 'placed')
  const views = tries.map(({ number, at, ms, outcome, kind }) => ({
    name: number === 0 ? 'Checkout' : `Retry ${number}`,
    at: toTime(at),
    duration: formatElapsedMs(ms),
    pill:
      outcome === 'placed'
        ? { tone: 'well', text: 'Placed' }
        : isWithoutCall({ outcome })
          ? { tone: 'warning', text: 'No call' }
          : { tone: 'failing', text: outcome === 'refused' ? 'Refused' : 'Failed' },
    result:
      outcome === 'placed'
        ? `Placed as ${order.placed?.order_number ?? 'an order'}`
        : capitalizeOrderAttempt({ outcome, kind }),
    advice: outcome === 'placed' || outcome === 'refused' ? '' : adviceForFailure(kind),
  }))
  if (!isReported || tries.length === 0) return views
  const result = `Accounting reported the order as ${describeOrderNumber(order)}`
  const pill = { tone: 'well', text: 'Placed' }
  return [...views, { name: 'Change feed', at: toTime(order.updated_at), duration: '–', pill, result, advice: '' }]
}

/** Without a stored attempt, a checkout that an earlier release recorded may show one that failed. */
export function describeNoTries(
  { status, updated_at }: OrderRecord,
  requests: readonly RequestRecord[],
  toTime: (at: string) => string,
): string {
  if (status === 'PENDING') return 'The first attempt has not ended yet.'
  const confirmed = status === 'CONFIRMED' ? ` Accounting confirmed the order at ${toTime(updated_at)}.` : ''
  const isKnownToFail = requests.some((record) =>
    listUnseenFailedCalls(record).some(({ operation }) => operation === 'placeOrder'),
  )
  return `${isKnownToFail ? 'The call of the checkout failed: see its request above.' : 'No failed attempt is recorded.'}${confirmed}`
}
