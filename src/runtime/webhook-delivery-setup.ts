import { isDelivered } from '../webhooks/delivery-attempt-types.ts'
import { createWebhookDispatcher, type WebhookDispatcher } from '../webhooks/dispatcher.ts'
import { createFailingEndpointEmail } from '../webhooks/failing-endpoint-email.ts'
import type { EndpointStatusChange } from '../webhooks/record-delivery-results.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'
import { logJobErrors } from './log-job-errors.ts'

/** Delivers events to webhook endpoints, counts attempts, and reports failing endpoints. */
export function startWebhookDelivery(parts: BackgroundJobsParts): WebhookDispatcher {
  const { db, observability, api, now } = parts
  const { logger, metrics } = observability
  const { secretCipher, sendWebhook } = api.commerce
  const countAttempt = metrics.counter(
    'forecourt_webhook_attempts_total',
    'Webhook delivery attempts, by outcome',
    'outcome',
  )
  // Registered before the dispatcher exists: if the registration failed afterwards, the dispatcher would keep running.
  metrics.gauge('forecourt_webhook_sending', 'Webhook delivery attempts in progress', () => dispatcher.stats().sending)
  const dispatcher = createWebhookDispatcher({
    db,
    secretCipher,
    send: sendWebhook,
    now,
    onAttempt: ({ result }) => countAttempt(isDelivered(result) ? 'delivered' : (result.error ?? 'http_error')),
    onStatusChange: (change) => reportEndpointStatus(change, parts),
    onError: logJobErrors(logger, 'a delivery could not be made; it will be retried', now, 'error'),
  })
  return dispatcher
}

/** Logs every change, and mails the merchant about a failing endpoint. The log has only the host: path and query may contain a secret. */
function reportEndpointStatus(change: EndpointStatusChange, { config, observability, api }: BackgroundJobsParts): void {
  const { subscription, from, to, reason } = change
  const { subscription_id, tenant_id, mode, endpoint_url } = subscription
  const host = URL.canParse(endpoint_url) ? new URL(endpoint_url).host : null
  observability.logger.warn(
    { tenant: tenant_id, mode, subscription_id, host, from, to, reason },
    'the status of a webhook endpoint changed',
  )
  const merchant = config.merchants.find(({ merchant }) => merchant === tenant_id)
  const recipient = merchant?.mail?.alerts
  if (!merchant || !recipient || to === 'ACTIVE') return
  api.commerce.mailer.send(createFailingEndpointEmail(merchant, recipient, change))
}
