import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { LISTS_TAG } from '../cache/invalidation.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { createCatalogChangePoller } from '../changes/catalog-change-poller.ts'
import { createChangeFeed } from '../changes/change-feed.ts'
import type { CatalogChangeListener } from '../changes/change-source.ts'
import { createFitmentImportPoller } from '../changes/fitment-import-poller.ts'
import type { Mailer } from '../commands/command-context.ts'
import { createFailingEndpointEmail } from '../commands/email-templates.ts'
import type { Config, MerchantConfig, Mode } from '../config/config.ts'
import { isPostgres } from '../config/store-address.ts'
import type { Metrics } from '../operations/metrics.ts'
import type { Database } from '../storage/database.ts'
import type { SecretCipher } from '../storage/keys/secret-encryption.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import { type AttemptReport, createWebhookDispatcher, type WebhookDispatcher } from '../webhooks/dispatcher.ts'
import type { EndpointStatusChange } from '../webhooks/record-delivery-results.ts'
import { isDelivered, type WebhookSendFunction } from '../webhooks/webhook-request.ts'

export interface BackgroundJobsParts {
  config: Config
  db: Database
  vault: SecretCipher
  send: WebhookSendFunction
  mail: Mailer
  metrics: Metrics
  upstreams: UpstreamRegistry
  responses: ResponseCache
  logger: Logger
  now: () => number
}

/** Sends what happened to those who subscribed, and tells people of endpoints that take nothing. */
export function startWebhookDispatcher(parts: BackgroundJobsParts): WebhookDispatcher {
  const { db, vault, send, logger, metrics, now } = parts
  const count = metrics.counter(
    'forecourt_webhook_attempts_total',
    'Attempts at webhook endpoints, by outcome',
    'outcome',
  )
  // Last: it works from then on, and whatever failed behind it would leave it at work.
  metrics.gauge('forecourt_webhook_sending', 'Attempts under way', () => dispatcher.stats().sending)
  const dispatcher = createWebhookDispatcher({
    ...{ db, vault, send, now },
    onAttempt: ({ attempted }: AttemptReport) =>
      count(isDelivered(attempted) ? 'delivered' : (attempted.error ?? 'http_error')),
    onStatus: (change) => tell(change, parts),
    onError: (err) => logger.error({ err }, 'a delivery could not be made; it is tried again'),
  })
  return dispatcher
}

/** Until then all processes on a store have dropped their copies of what an event tells of: they look twice a second. */
const CATALOG_DELAY_MS = 1_500

/** Follows the back offices, here or in another process on the store, and lets go of every copy of what changed in them. */
export function startChangeFeed({
  config,
  db,
  upstreams,
  responses,
  logger,
  now,
}: BackgroundJobsParts): AsyncDisposable {
  const places = config.merchants.flatMap(({ merchant }) =>
    (['live', 'sandbox'] as const).map((mode) => ({
      merchant,
      mode,
      backOffice: upstreams.forTenant(merchant, mode)!.backOffice,
    })),
  )
  const onChanged: CatalogChangeListener = (owner, skus, { details }) => {
    const [merchant, mode] = owner.split('/') as [string, Mode]
    upstreams.forTenant(merchant, mode)?.backOffice.invalidate(skus, details)
    responses.invalidations(owner).invalidate(details ? [...skus, LISTS_TAG] : skus)
  }
  const stack = new AsyncDisposableStack()
  const onTailError = (err: unknown) => logger.warn({ err }, 'changes that other processes saw are not heard of')
  const isShared = isPostgres(config.store)
  if (isShared) stack.use(createCatalogChangePoller({ db, now, onChanged, onError: onTailError }))
  stack.use(
    createChangeFeed({
      ...{ db, now, holder: randomUUID(), intervalMs: config.feedIntervalMs, upstreams: places, onChanged },
      catalogDelayMs: isShared ? CATALOG_DELAY_MS : 0,
      onError: (err) => logger.error({ err }, 'the change feed failed; it is tried again'),
    }),
  )
  return stack
}

/** An import of vehicle fitment is another process's doing: what was made of the one before is let go of. */
export function startFitmentWatch({ config, db, upstreams, responses, logger }: BackgroundJobsParts): AsyncDisposable {
  const isImported = ({ live, sandbox, sandboxFitment }: MerchantConfig) =>
    [live.fitment, sandbox?.fitment, sandboxFitment].includes('imported')
  if (!config.merchants.some(isImported)) return new AsyncDisposableStack()
  return createFitmentImportPoller({
    db,
    onChanged(owner) {
      const [merchant, mode] = owner.split('/') as [string, Mode]
      upstreams.forTenant(merchant, mode)?.backOffice.invalidate([], true)
      responses.invalidations(owner).invalidate([LISTS_TAG])
    },
    onError: (err) => logger.warn({ err }, 'imports of vehicle fitment are not heard of'),
  })
}

/** An endpoint is never given up silently. Its path and query may hold a secret of its owner's: the log names its host alone. */
function tell(
  { subscription, from, to, reason }: EndpointStatusChange,
  { config, mail, logger }: BackgroundJobsParts,
): void {
  const { subscription_id, tenant_id, mode, endpoint_url } = subscription
  const host = URL.canParse(endpoint_url) ? new URL(endpoint_url).host : null
  logger.warn(
    { tenant: tenant_id, mode, subscription_id, host, from, to, reason },
    'a webhook endpoint changed its status',
  )
  const merchant = config.merchants.find((one) => one.merchant === tenant_id)
  const reader = merchant?.mail?.alerts
  if (!merchant || !reader || to === 'ACTIVE') return
  mail.post(createFailingEndpointEmail(merchant, reader, { ...subscription, status: to, disabled_reason: reason }))
}
