import type { Tables } from '../storage/tables.ts'

type Row = Tables['subscriptions']
/** How a subscription's endpoint has done lately. */
export type EndpointHealth = Pick<
  Row,
  | 'status'
  | 'disabled_reason'
  | 'disabled_at'
  | 'consecutive_failures'
  | 'exhausted'
  | 'failing_since'
  | 'last_delivery_at'
  | 'last_success_at'
>

/** What an attempt says of the endpoint. */
export interface EndpointHealthSample {
  /** Where it was sent: the subscription may have moved since. */
  url: string
  /** RFC 3339, UTC: when it ended. */
  at: string
  outcome: 'delivered' | 'failed' | 'gone'
  /** No attempt of this event follows. */
  exhausted: boolean
}

const EXHAUSTED_EVENTS = 3
const FAILURE_DAYS_MS = 5 * 86_400_000

/**
 * A success forgives all; failures alone, for long enough, disable: at the end of an event's attempts, so that after a quiet month one
 * failure does not. Whoever is disabled stays so: a person enables it.
 */
export function computeEndpointHealth(
  before: EndpointHealth,
  { at, outcome, exhausted }: EndpointHealthSample,
): EndpointHealth {
  const told = { ...before, last_delivery_at: at }
  if (outcome === 'delivered') {
    const status = before.status === 'FAILING' ? 'ACTIVE' : before.status
    return { ...told, status, last_success_at: at, consecutive_failures: 0, exhausted: 0, failing_since: null }
  }
  const failed = {
    ...told,
    consecutive_failures: before.consecutive_failures + 1,
    exhausted: before.exhausted + (exhausted ? 1 : 0),
    failing_since: before.failing_since ?? at,
  }
  if (failed.status === 'DISABLED') return failed
  if (outcome === 'gone') return disabled(failed, 'GONE', at)
  const failingMs = Date.parse(at) - Date.parse(failed.failing_since)
  if (exhausted && failingMs >= FAILURE_DAYS_MS) return disabled(failed, 'CONSECUTIVE_FAILURES', at)
  return failed.exhausted >= EXHAUSTED_EVENTS ? { ...failed, status: 'FAILING' } : failed
}

const disabled = (standing: EndpointHealth, disabled_reason: Row['disabled_reason'], at: string): EndpointHealth => ({
  ...standing,
  ...{ status: 'DISABLED', disabled_reason, disabled_at: at },
})

/** Whether nothing is held against it. */
export const isEndpointHealthy = ({ status, consecutive_failures, exhausted, failing_since }: EndpointHealth) =>
  status === 'ACTIVE' && consecutive_failures === 0 && exhausted === 0 && failing_since === null
