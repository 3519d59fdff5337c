import type { RequestListener } from 'node:http'
import { createApp } from '../app.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createActionThrottle } from '../commands/action-throttle.ts'
import type { CommandDependencies } from '../commands/command-context.ts'
import { createPendingOrderRetrier } from '../commands/orders/pending-order-retrier.ts'
import { createPasswordHasher } from '../commands/password-hasher.ts'
import type { Config } from '../config/config.ts'
import { isPostgres } from '../config/store-address.ts'
import { createApiKeyCache } from '../http/api-key-cache.ts'
import { createRateLimiter } from '../http/rate-limiter.ts'
import { createSharedRateLimiter } from '../http/shared-rate-limiter.ts'
import { registerCircuitAndCacheMetrics } from '../operations/circuit-and-cache-metrics.ts'
import { createMailSender } from '../operations/mail.ts'
import { limitMemory } from '../operations/memory-limit.ts'
import type { OverrideFollower } from '../operations/override-follower.ts'
import type { Readiness } from '../operations/readiness.ts'
import { registerStoreMetrics } from '../operations/store-metrics.ts'
import { createUpstreamFailureLog } from '../operations/upstream-failure-log.ts'
import { version } from '../operations/version.ts'
import { apiRoutes } from '../routes/api-routes.ts'
import { createPublicRouter } from '../routes/public-routes.ts'
import type { Database } from '../storage/database.ts'
import {
  createSecretCipher,
  readOrCreateEncryptionKey,
  verifyEncryptionKey,
} from '../storage/keys/secret-encryption.ts'
import { createImportedFitmentPort } from '../upstream/imported-fitment-port.ts'
import {
  createUpstreamRegistry,
  type UpstreamRegistry,
  type UpstreamRegistryParts,
} from '../upstream/upstream-registry.ts'
import { createWebhookSender } from '../webhooks/sender.ts'
import { startChangeFeed, startFitmentWatch, startWebhookDispatcher } from './background-jobs.ts'
import { loadPictureAddresses, setUpMedia } from './media-setup.ts'
import type { Observability } from './observability.ts'
import { followOperatorOverrides } from './operator-overrides.ts'

export interface ApiRuntimeParts extends Pick<UpstreamRegistryParts, 'adapters' | 'embeddedSystemsFor'> {
  config: Config
  embeddedStart: Promise<unknown> | undefined
  db: Database
  watching: Observability
  readiness: Readiness
  now: () => number
}

/** The API, ready to be listened to, and what it answers from. */
export interface ApiRuntime extends AsyncDisposable {
  handler: RequestListener
  upstreams: UpstreamRegistry
  directives: OverrideFollower
  commerce: CommandDependencies
  /** Says where the API listens. Gives its address as browsers reach it. */
  openTo(address: string): string
}

/** Of a request's time, what is kept for assembling and sending. */
const RESERVE_MS = 50
/** Half of what is held is sections, half the bytes of answers. */
const SECTION_SHARE = 0.5

/** Connects the back offices and caches, sends what has happened to who waits for it, and makes the app over all of them. */
export async function startApiRuntime({ config, db, watching, ...parts }: ApiRuntimeParts): Promise<ApiRuntime> {
  const { readiness, now } = parts
  const { logger, metrics, diagnostics, tracing } = watching
  const merchants = new Set(config.merchants.map(({ merchant }) => merchant))
  await using stack = new AsyncDisposableStack()
  const { cacheBytes: heldBytes } = stack.use(limitMemory(config.cacheBytes))

  const vault = createSecretCipher(config.webhooks.keys ?? [readOrCreateEncryptionKey(config.dataDirectory)])
  await verifyEncryptionKey(db, vault, now())
  const { send } = stack.use(createWebhookSender({ rules: config.webhooks, now, version }))
  const mail = stack.use(createMailSender(config.mail ?? null, logger))
  const keys = stack.use(createApiKeyCache(db, (merchant) => merchants.has(merchant), now))

  const publicAt = { url: config.publicUrl ?? '' }
  const addresses = await loadPictureAddresses(db, () => publicAt.url)
  const upstreams = stack.use(
    createUpstreamRegistry({
      merchants: config.merchants,
      adapters: parts.adapters,
      embeddedSystemsFor: parts.embeddedSystemsFor,
      importedFitmentFor: (owner) => createImportedFitmentPort(db, owner),
      pictureUrls: addresses.urlsOf,
      cacheBytes: heldBytes * SECTION_SHARE,
      onFailure: createUpstreamFailureLog(logger, now),
      onCall: watching.onCall,
      onCircuitChange: watching.onCircuitChange,
      ...(tracing && { recorderFor: tracing.background }),
      now,
    }),
  )
  stack.use(
    createPendingOrderRetrier({
      commerce: { db, now },
      backOfficeFor: (merchant, mode) => upstreams.forTenant(merchant, mode)?.backOffice ?? null,
      onError: (err) => logger.error({ err }, 'an order could not be settled; it is tried again'),
    }),
  )
  const onExchangeFailure = (err: unknown) => logger.warn({ err }, 'rate limits are not shared with other processes')
  const limits = isPostgres(config.store)
    ? stack.use(createSharedRateLimiter(createRateLimiter(), { db, now, onFailure: onExchangeFailure }))
    : createRateLimiter()
  const responses = createResponseCache(heldBytes * (1 - SECTION_SHARE))
  registerCircuitAndCacheMetrics(metrics, { upstreams, responses, cacheBytes: config.cacheBytes })
  registerStoreMetrics(metrics, { db, merchants: [...merchants], now })

  const outgoing = { config, db, vault, send, mail, metrics, upstreams, responses, logger, now }
  const gallery = stack.use(setUpMedia({ config, upstreams, metrics, logger, now }))
  stack.use(startWebhookDispatcher(outgoing))
  const feeding = stack.use(new AsyncDisposableStack())
  stack.use(startFitmentWatch(outgoing))
  const directives = stack.use(await followOperatorOverrides({ db, upstreams, responses, diagnostics, logger, now }))

  const throttle = createActionThrottle()
  const commerce = {
    db,
    mail,
    passwords: createPasswordHasher(),
    throttle,
    vault,
    send,
    endpoints: config.webhooks,
    now,
  }
  const handler = createApp({
    ...{
      keys,
      upstreams,
      responses,
      commerce,
      limits,
      logger,
      observe: watching.observe,
      tracing,
      routes: apiRoutes,
      now,
    },
    budget: { totalMs: config.deadlineMs, reserveMs: RESERVE_MS },
    open: createPublicRouter({
      db,
      upstreams,
      readiness,
      now,
      addresses,
      pictures: gallery.pictures,
      count: gallery.count,
    }),
  })
  const running = stack.move()
  return {
    ...{ handler, upstreams, directives, commerce },
    openTo(address) {
      publicAt.url ||= address
      // Not before: what the feed compares of a product has the addresses of its pictures in it.
      const follow = () => void (feeding.disposed || feeding.use(startChangeFeed(outgoing)))
      if (parts.embeddedStart) parts.embeddedStart.then(follow, () => {})
      else follow()
      return publicAt.url
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
