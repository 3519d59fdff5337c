import type { AttemptErrorCode, DeliveryAttempt } from '../../../contract/events/webhook-delivery.ts'
import type { Database } from '../../../storage/database.ts'
import { findDelivery } from '../../../storage/webhooks/deliveries.ts'
import type { WebhookEndpoint } from '../../../storage/webhooks/subscription-endpoints.ts'
import {
  isDeliveryUnderWay,
  listPendingDeliveries,
  type PendingDelivery,
} from '../../../storage/webhooks/waiting-deliveries.ts'
import { type EndpointHealth, isEndpointHealthy } from '../../../webhooks/endpoint-health.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toSearchPath } from '../../page-paths.ts'
import { formatCount, formatNumber } from '../../text/format-numbers.ts'
import { describeAttempt } from '../../text/webhook-attempt-text.ts'
import { callAboutForecourt, type WhomToCall } from '../../whom-to-call.ts'
import { isDeliveryLate, LATE_MS } from './webhook-delivery-row-view.ts'

/** The events of an endpoint that are not delivered yet. */
export interface WaitingDeliveriesView {
  /** `3 events wait`; empty: none. */
  count: string
  /** What the oldest are about. */
  subjects: WaitingSubject[]
  /** `40 more`; empty: `subjects` has all. */
  others: string
  /** How an attempt at one of them failed. */
  problem: string
  /** Forecourt's configuration may be the cause. */
  concernsForecourt: boolean
  /** Why events wait that are due. */
  due: DueDeliveries
  whom: WhomToCall
}

/** An event that waits. */
export interface WaitingSubject {
  eventType: string
  /** `null`: not known any more. */
  id: string | null
  /** Of an order. */
  href: string | null
}

/**
 * `later`: none is due. `turn`: one is due, and others are being sent. `overdue`: Forecourt has sent none for a while, although the endpoint works.
 * `unknown`: neither an attempt nor its absence says whose fault it is.
 */
export type DueDeliveries = 'later' | 'turn' | 'overdue' | 'unknown'

const MAX_SUBJECTS = 10
const MAX_WAITING = 50

export interface WaitingDeliveriesParts {
  endpoint: Pick<WebhookEndpoint, 'subscription_id' | 'last_delivery_at'> & EndpointHealth
  now: number
}

/** Reads the oldest of them. */
export async function readWaitingDeliveries(
  { db, merchants }: { db: Database; merchants: MerchantDirectory },
  { endpoint, now }: WaitingDeliveriesParts,
): Promise<WaitingDeliveriesView> {
  const { rows: waiting, hasMore } = await listPendingDeliveries(db, endpoint.subscription_id, MAX_WAITING)
  const attempt = await findFailedAttempt(db, endpoint.subscription_id, waiting)
  const count = formatCount(waiting.length, 'event waits', 'events wait')
  return {
    count: waiting.length === 0 ? '' : hasMore ? `At least ${count}` : count,
    subjects: waiting.slice(0, MAX_SUBJECTS).map(toSubject),
    others: describeOthers(waiting.length - MAX_SUBJECTS, hasMore),
    problem: attempt ? describeProblem(attempt) : '',
    concernsForecourt: forecourtErrors.has(attempt?.error ?? ''),
    due: await readDueDeliveries(db, endpoint, waiting, now),
    whom: callAboutForecourt(merchants),
  }
}

/** A slow endpoint gets one event at a time, so others may be due for long although Forecourt works. */
async function readDueDeliveries(
  db: Database,
  endpoint: WaitingDeliveriesParts['endpoint'],
  waiting: readonly PendingDelivery[],
  now: number,
): Promise<DueDeliveries> {
  if (!waiting.some((delivery) => isDeliveryLate(delivery, now))) return 'later'
  const { subscription_id, last_delivery_at } = endpoint
  if (last_delivery_at !== null && now - Date.parse(last_delivery_at) <= LATE_MS) return 'turn'
  if (await isDeliveryUnderWay(db, subscription_id, new Date(now).toISOString())) return 'turn'
  return isEndpointHealthy(endpoint) ? 'overdue' : 'unknown'
}

const toSubject = ({ event_type, resource_id }: PendingDelivery): WaitingSubject => ({
  eventType: event_type,
  id: resource_id,
  href: resource_id !== null && event_type.startsWith('order.') ? toSearchPath(resource_id) : null,
})

function describeOthers(count: number, hasMore: boolean): string {
  if (count <= 0) return ''
  return hasMore ? `at least ${formatNumber(count)} more` : `${formatNumber(count)} more`
}

/** Returns the last attempt at the newest of these that had one. */
async function findFailedAttempt(
  db: Database,
  subscriptionId: string,
  waiting: readonly PendingDelivery[],
): Promise<DeliveryAttempt | null> {
  const failed = waiting.findLast(({ attempts }) => attempts > 0)
  const delivery = failed && (await findDelivery(db, subscriptionId, failed.delivery_id))
  const attempts = delivery ? (JSON.parse(delivery.log) as DeliveryAttempt[]) : []
  return attempts.at(-1) ?? null
}

/** Errors of attempts that no endpoint has seen. */
const forecourtErrors: ReadonlySet<string> = new Set<AttemptErrorCode>(['url_not_allowed', 'secret_unreadable'])

function describeProblem(attempt: DeliveryAttempt): string {
  const { response_status, error } = attempt
  if (forecourtErrors.has(error ?? '')) return `Forecourt could not send an event. ${describeAttempt(attempt)}`
  if (response_status === null) return `an attempt got no usable response. ${describeAttempt(attempt)}`
  return `it responds with status ${response_status}. ${describeAttempt(attempt)}`
}
