import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import type { DeliveryRow, DeliverySummary } from '../../storage/webhooks/deliveries.ts'
import { findEndpoints, type WebhookEndpoint } from '../../storage/webhooks/delivery-queue.ts'
import { createMerchantDirectory, type MerchantDirectory } from '../merchant-directory.ts'
import type { ConsolePagesParts } from '../page-list.ts'
import { type DisplayTime, formatCount } from '../text/format-times.ts'

/** A store must not be asked for anything else: PostgreSQL fails at what text cannot hold. */
const SUBSCRIPTION_ID = /^whk_[0-9A-Za-z]{22}$/

/** Whosever it is. Throws `not_found`. */
export async function requireWebhookSubscription(db: Database, id: string): Promise<WebhookEndpoint> {
  const [found] = SUBSCRIPTION_ID.test(id) ? await findEndpoints(db, [id]) : []
  if (!found) throw new Problem('not_found', 'There is no such subscription.')
  return found
}

export const toMerchantDirectory = ({ merchants, now }: Pick<ConsolePagesParts, 'merchants' | 'now'>) =>
  createMerchantDirectory(merchants, now)

/** Where events go, without what may be a secret: many endpoints are known by their path or query alone. */
export function redactEndpointUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}

const reasons: Readonly<Record<string, string>> = {
  MANUAL: 'somebody disabled it',
  CONSECUTIVE_FAILURES: 'it failed for days',
  GONE: 'it answered 410 Gone',
}

const states = {
  ACTIVE: { tone: 'well', word: 'Active' },
  FAILING: { tone: 'failing', word: 'Failing' },
  DISABLED: { tone: 'warning', word: 'Disabled' },
} as const

/** How it is, beside its state: disabled, by whom; or how often it has failed, and since when. */
function troubleOf(of: Omit<WebhookEndpoint, 'event_types'>, time: (at: string | null) => DisplayTime | null) {
  const { disabled_reason, disabled_at, consecutive_failures, failing_since } = of
  if (disabled_reason) return { what: reasons[disabled_reason] ?? disabled_reason, at: time(disabled_at) }
  if (consecutive_failures === 0) return null
  const what = `${formatCount(consecutive_failures, 'failed attempt')} in a row`
  return { what, at: time(failing_since) }
}

/** An endpoint as pages show it: no secret, and nothing of its address but the host. */
export function toEndpointView(of: Omit<WebhookEndpoint, 'event_types'>, merchants: MerchantDirectory) {
  const { subscription_id, tenant_id, mode, status } = of
  const time = (at: string | null) => (at === null ? null : merchants.moment(at, tenant_id))
  return {
    id: subscription_id,
    href: `/webhooks/${subscription_id}`,
    endpoint: redactEndpointUrl(of.endpoint_url),
    description: of.description,
    merchant: merchants.name(tenant_id),
    ...{ mode, status, pill: states[status] },
    trouble: troubleOf(of, time),
    failures: of.consecutive_failures,
    exhausted: of.exhausted,
    failingSince: time(of.failing_since),
    lastSuccess: time(of.last_success_at),
  }
}

const outcomes = {
  PENDING: { tone: '', word: 'Waiting' },
  DELIVERED: { tone: 'well', word: 'Delivered' },
  EXHAUSTED: { tone: 'failing', word: 'Given up' },
  SUPERSEDED: { tone: '', word: 'Superseded' },
  CANCELLED: { tone: 'warning', word: 'Cancelled' },
} as const

const causes = { EVENT: 'event', REDELIVERY: 'sent again', RECOVERY: 'recovered' } as const

/** What was sent, and to what end; its content is its receiver's alone. */
export function toDeliveryRowView(
  { delivery_id, subscription_id, ...of }: DeliverySummary | DeliveryRow,
  time: (at: string) => DisplayTime,
) {
  const { event_type, event_id, status, cause, attempts, response_status, created_at, ended_at, due_at } = of
  return {
    id: delivery_id,
    href: `/webhooks/${subscription_id}/deliveries/${delivery_id}`,
    ...{ type: event_type, event: event_id, attempts, created: time(created_at), ended: ended_at && time(ended_at) },
    ...{ answered: response_status, due: status === 'PENDING' && due_at ? time(due_at) : null },
    ...{ pill: outcomes[status], cause: causes[cause] },
  }
}
