import { UNSUCCESSFUL_ENDPOINT_MS } from '../storage/diagnostics/webhook-endpoint-queries.ts'
import type { Tables } from '../storage/tables.ts'

type Row = Tables['subscriptions']
/** The health columns of a subscription's endpoint. */
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

/** The result of one attempt, as the endpoint's health counts it. */
export interface EndpointHealthSample {
  /** The URL that was called. The subscription may have another one by now. */
  url: string
  /** The end of the attempt. RFC 3339, UTC. */
  at: string
  outcome: 'delivered' | 'failed' | 'gone'
  /** This was the last attempt at this event. */
  exhausted: boolean
}

const EXHAUSTED_EVENTS = 3
const FAILURE_DAYS_MS = 5 * 86_400_000

/**
 * Computes an endpoint's health after an attempt. A success resets all counts. Five days of failures alone disable the endpoint, but only
 * when an event's last attempt fails, so that one failure after a quiet month does not. Only an operator or the merchant enables it again.
 */
export function computeEndpointHealth(
  before: EndpointHealth,
  { at, outcome, exhausted }: EndpointHealthSample,
): EndpointHealth {
  const attempted = { ...before, last_delivery_at: at }
  if (outcome === 'delivered') {
    const status = before.status === 'FAILING' ? 'ACTIVE' : before.status
    return { ...attempted, status, last_success_at: at, consecutive_failures: 0, exhausted: 0, failing_since: null }
  }
  const failed = {
    ...attempted,
    consecutive_failures: before.consecutive_failures + 1,
    exhausted: before.exhausted + (exhausted ? 1 : 0),
    failing_since: before.failing_since ?? at,
  }
  if (failed.status === 'DISABLED') return failed
  if (outcome === 'gone') return disable(failed, 'GONE', at)
  const failingMs = Date.parse(at) - Date.parse(failed.failing_since)
  if (exhausted && failingMs >= FAILURE_DAYS_MS) return disable(failed, 'CONSECUTIVE_FAILURES', at)
  return failed.exhausted >= EXHAUSTED_EVENTS ? { ...failed, status: 'FAILING' } : failed
}

const disable = (health: EndpointHealth, disabled_reason: Row['disabled_reason'], at: string): EndpointHealth => ({
  ...health,
  status: 'DISABLED',
  disabled_reason,
  disabled_at: at,
})

/** Returns whether an endpoint is enabled and has no recent failures. */
export const isEndpointHealthy = ({ status, consecutive_failures, exhausted, failing_since }: EndpointHealth) =>
  status === 'ACTIVE' && consecutive_failures === 0 && exhausted === 0 && failing_since === null

export type EndpointState = 'healthy' | 'unstable' | 'failing' | 'disabled'

/** Returns the state of an endpoint at this moment. `unstable`: its latest attempts failed, but not for long. */
export function toEndpointState(
  {
    status,
    consecutive_failures,
    failing_since,
  }: Pick<EndpointHealth, 'status' | 'consecutive_failures' | 'failing_since'>,
  now: number,
): EndpointState {
  if (status === 'DISABLED') return 'disabled'
  if (status === 'FAILING') return 'failing'
  if (consecutive_failures === 0 || failing_since === null) return 'healthy'
  return now - Date.parse(failing_since) >= UNSUCCESSFUL_ENDPOINT_MS ? 'failing' : 'unstable'
}
