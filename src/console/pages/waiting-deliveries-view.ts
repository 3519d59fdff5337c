import type { Database } from '../../storage/database.ts'
import type { DeliverySummary } from '../../storage/webhooks/deliveries.ts'
import { findEventRows } from '../../storage/webhooks/events.ts'
import type { WebhookEndpoint } from '../../storage/webhooks/subscription-endpoints.ts'
import { isDeliveryUnderWay } from '../../storage/webhooks/waiting-deliveries.ts'
import { type EndpointHealth, isEndpointHealthy } from '../../webhooks/endpoint-health.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { formatCount, formatNumber } from '../text/format-numbers.ts'
import { describeAttempt } from '../text/webhook-attempt-text.ts'
import { callAboutForecourt, type WhomToCall } from '../whom-to-call.ts'
import { isDeliveryLate, LATE_MS } from './webhook-page-view.ts'

/** The events of an endpoint that are not delivered yet. */
export interface WaitingDeliveriesView {
  /** `3 events wait`; empty: none. */
  count: string
  /** What they are about. */
  subjects: string
  /** How the endpoint responded last. */
  problem: string
  /** Why events wait that are due. */
  due: DueDeliveries
  whom: WhomToCall
}

/**
 * `later`: none is due. `turn`: one is due, and others are being sent. `overdue`: Forecourt has sent none for a while, although the endpoint works.
 * `unknown`: neither an attempt nor its absence says whose fault it is.
 */
export type DueDeliveries = 'later' | 'turn' | 'overdue' | 'unknown'

const MAX_SUBJECTS = 10

export interface WaitingDeliveriesParts {
  endpoint: Pick<WebhookEndpoint, 'subscription_id' | 'last_delivery_at'> & EndpointHealth
  deliveries: readonly DeliverySummary[]
  hasMore: boolean
  now: number
}

/** Reads it from the newest deliveries of an endpoint. */
export async function readWaitingDeliveries(
  { db, merchants }: { db: Database; merchants: MerchantDirectory },
  { endpoint, deliveries, hasMore, now }: WaitingDeliveriesParts,
): Promise<WaitingDeliveriesView> {
  const waiting = deliveries.filter(({ status }) => status === 'PENDING')
  const failed = waiting.find(({ attempts }) => attempts > 0)
  const count = formatCount(waiting.length, 'event waits', 'events wait')
  return {
    count: waiting.length === 0 ? '' : hasMore ? `At least ${count}` : count,
    subjects: await describeSubjects(db, waiting),
    problem: failed ? describeProblem(failed) : '',
    due: await readDueDeliveries(db, endpoint, waiting, now),
    whom: callAboutForecourt(merchants),
  }
}

/** A slow endpoint gets one event at a time, so others may be due for long although Forecourt works. */
async function readDueDeliveries(
  db: Database,
  endpoint: WaitingDeliveriesParts['endpoint'],
  waiting: readonly DeliverySummary[],
  now: number,
): Promise<DueDeliveries> {
  if (!waiting.some((delivery) => isDeliveryLate(delivery, now))) return 'later'
  const { subscription_id, last_delivery_at } = endpoint
  if (last_delivery_at !== null && now - Date.parse(last_delivery_at) <= LATE_MS) return 'turn'
  if (await isDeliveryUnderWay(db, subscription_id, new Date(now).toISOString())) return 'turn'
  return isEndpointHealthy(endpoint) ? 'overdue' : 'unknown'
}

/** Names the oldest first. */
async function describeSubjects(db: Database, waiting: readonly DeliverySummary[]): Promise<string> {
  const oldest = waiting.toReversed().slice(0, MAX_SUBJECTS)
  const ids = oldest.map(({ event_id }) => event_id)
  const events = new Map((await findEventRows(db, ids)).map((event) => [event.event_id, event]))
  const names = oldest.map(({ event_id, event_type }) => {
    const id = events.get(event_id)?.resource_id
    return id === undefined ? event_type : `${event_type} of ${id}`
  })
  const others = waiting.length - oldest.length
  return [...names, ...(others > 0 ? [`${formatNumber(others)} more`] : [])].join(', ')
}

/** What was wrong with an attempt without a response is on its own page. */
function describeProblem({ response_status }: DeliverySummary): string {
  if (response_status === null) return 'it does not respond'
  const what = describeAttempt({ response_status, error: null } as Parameters<typeof describeAttempt>[0])
  return `it responds with status ${response_status}. ${what}`
}
