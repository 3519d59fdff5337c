import type { Logger } from 'pino'
import type { Mail } from './commands/commerce.ts'
import { endpointLetter } from './commands/letters.ts'
import type { Config } from './config.ts'
import { type Attempt, createDispatcher, type Dispatcher } from './events/dispatcher.ts'
import { isDelivered, type Send } from './events/parcel.ts'
import type { StatusChange } from './events/recording.ts'
import type { Metrics } from './operations/metrics.ts'
import type { Database } from './storage/database.ts'
import type { Vault } from './storage/vault.ts'

export interface OutgoingParts {
  config: Config
  db: Database
  vault: Vault
  send: Send
  mail: Mail
  metrics: Metrics
  logger: Logger
  now: () => number
}

/** Sends what happened to those who subscribed, and tells people of endpoints that take nothing. */
export function startDispatcher(parts: OutgoingParts): Dispatcher {
  const { db, vault, send, logger, metrics, now } = parts
  const count = metrics.counter(
    'forecourt_webhook_attempts_total',
    'Attempts at webhook endpoints, by outcome',
    'outcome',
  )
  const dispatcher = createDispatcher({
    ...{ db, vault, send, now },
    onAttempt: ({ attempted }: Attempt) => count(isDelivered(attempted) ? 'delivered' : (attempted.error ?? 'refused')),
    onStatus: (change) => tell(change, parts),
    onError: (err) => logger.error({ err }, 'a delivery could not be made; it is tried again'),
  })
  metrics.gauge('forecourt_webhook_sending', 'Attempts under way', () => dispatcher.stats().sending)
  return dispatcher
}

/** An endpoint is never given up silently. Its path and query may hold a secret of its owner's: the log names its host alone. */
function tell({ subscription, from, to, reason }: StatusChange, { config, mail, logger }: OutgoingParts): void {
  const { subscription_id, tenant_id, mode, endpoint_url } = subscription
  const host = URL.canParse(endpoint_url) ? new URL(endpoint_url).host : null
  logger.warn(
    { tenant: tenant_id, mode, subscription_id, host, from, to, reason },
    'a webhook endpoint changed its status',
  )
  const merchant = config.merchants.find((one) => one.merchant === tenant_id)
  const reader = merchant?.mail?.alerts
  if (!merchant || !reader || to === 'ACTIVE') return
  mail.post(endpointLetter(merchant, reader, { ...subscription, status: to, disabled_reason: reason }))
}
