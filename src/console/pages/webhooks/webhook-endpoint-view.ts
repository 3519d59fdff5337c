import type { WebhookEndpoint } from '../../../storage/webhooks/subscription-endpoints.ts'
import { type EndpointState, toEndpointState } from '../../../webhooks/endpoint-health.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { formatCount } from '../../text/format-numbers.ts'
import type { DisplayTime } from '../../text/format-times.ts'
import { callAboutMerchant } from '../../whom-to-call.ts'
import { redactEndpointUrl } from '../redact-endpoint-url.ts'
import type { StatusPill } from '../status-pill.ts'

const disabledReasons: Readonly<Record<string, string>> = {
  MANUAL: 'disabled manually',
  CONSECUTIVE_FAILURES: 'no successful delivery for five days',
  GONE: 'responded with 410 Gone',
}

const statePills: Readonly<Record<EndpointState, StatusPill>> = {
  healthy: { tone: 'well', text: 'Active' },
  unstable: { tone: 'warning', text: 'Latest attempts failed' },
  failing: { tone: 'failing', text: 'Failing' },
  disabled: { tone: 'warning', text: 'Disabled' },
}

/** Returns why an endpoint is disabled, or how often it failed in a row, each with its start. */
function toFailureView(
  endpoint: Omit<WebhookEndpoint, 'event_types'>,
  toTime: (at: string | null) => DisplayTime | null,
) {
  const { disabled_reason, disabled_at, consecutive_failures, failing_since } = endpoint
  if (disabled_reason) return { text: disabledReasons[disabled_reason] ?? disabled_reason, since: toTime(disabled_at) }
  if (consecutive_failures === 0) return null
  return { text: `${formatCount(consecutive_failures, 'failed attempt')} in a row`, since: toTime(failing_since) }
}

/** An endpoint as pages show it: without secrets, and of its URL only the host. */
export function toEndpointView(
  endpoint: Omit<WebhookEndpoint, 'event_types'>,
  merchants: MerchantDirectory,
  now: number,
) {
  const { subscription_id, tenant_id, status } = endpoint
  const state = toEndpointState(endpoint, now)
  const toTime = (at: string | null) => (at === null ? null : merchants.time(at, tenant_id))
  return {
    id: subscription_id,
    href: `/webhooks/${subscription_id}`,
    url: redactEndpointUrl(endpoint.endpoint_url),
    description: endpoint.description,
    merchantName: merchants.name(tenant_id),
    whom: callAboutMerchant(merchants, tenant_id),
    mode: endpoint.mode,
    status,
    state,
    pill: statePills[state],
    failure: toFailureView(endpoint, toTime),
    consecutiveFailures: endpoint.consecutive_failures,
    abandonedEvents: endpoint.exhausted,
    failingSince: toTime(endpoint.failing_since),
    lastSuccess: toTime(endpoint.last_success_at),
  }
}
