import type { RequestListener } from 'node:http'
import type Router from '@koa/router'
import { createApp } from '../app.ts'
import { createResponseCache, type ResponseCache } from '../cache/response-cache.ts'
import { createActionThrottle } from '../commands/action-throttle.ts'
import type { CommandDependencies } from '../commands/command-context.ts'
import { createPasswordHasher, type PasswordCost } from '../commands/password-hasher.ts'
import type { Config } from '../config/config.ts'
import { createApiKeyCache } from '../http/access/api-key-cache.ts'
import type { ClientAddresses } from '../http/access/client-addresses.ts'
import { createIdempotencyClaims } from '../http/idempotency/idempotency-claims.ts'
import { registerCircuitAndCacheMetrics } from '../operations/circuit-and-cache-metrics.ts'
import { limitMemory } from '../operations/heap-limit.ts'
import { createMailSender } from '../operations/mail-sender.ts'
import { collectWithoutHelpers } from '../operations/node-flags.ts'
import type { Readiness } from '../operations/readiness.ts'
import { registerStoreMetrics } from '../operations/store-backlog-metrics.ts'
import { version } from '../operations/version.ts'
import { apiRoutes } from '../routes/api-routes.ts'
import { createUnauthenticatedRouter } from '../routes/unauthenticated-routes.ts'
import type { Database } from '../storage/database.ts'
import { readOrCreateEncryptionKey, verifyEncryptionKey } from '../storage/keys/encryption-key.ts'
import { createSecretCipher } from '../storage/keys/secret-encryption.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { UpstreamRegistry, UpstreamRegistryParts } from '../upstream/upstream-registry.ts'
import { createWebhookSender } from '../webhooks/sender.ts'
import { logJobErrors } from './log-job-errors.ts'
import { setUpMedia } from './media-setup.ts'
import type { Observability } from './observability.ts'
import { setUpPictureUrls } from './picture-url-setup.ts'
import { setUpRateLimits } from './rate-limit-setup.ts'
import { connectUpstreams } from './upstream-setup.ts'

export interface ApiParts extends Pick<UpstreamRegistryParts, 'adapters' | 'embeddedSystemsFor'> {
  config: Config
  clients: ClientAddresses
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  observability: Observability
  readiness: Readiness
  registerRoutes: ((router: Router) => void) | undefined
  passwordCost: PasswordCost | undefined
  now: () => number
}

/** The API, ready for a listener, and what background jobs and the console share with it. */
export interface Api extends AsyncDisposable {
  handler: RequestListener
  upstreams: UpstreamRegistry
  responses: ResponseCache
  commerce: CommandDependencies
  /** The memory for the mirrors' products and searches. */
  mirrorCacheBytes: number
  /** The API's URL for browsers; empty until it is known. */
  readonly publicUrl: string
  /** Sets the address where the API listens. Returns its URL for browsers, which is `public_url` if that is configured. */
  setAddress(address: string): string
}

/** The part of a request's deadline that is reserved for the response. */
const RESERVE_MS = 50
/** The share of the cache for the mirrors, if there are any. Half of the rest is for sections, half for responses. */
const MIRROR_SHARE = 0.3
const SECTION_SHARE = 0.5

const RENEWAL_FAILED = 'idempotency keys of running requests could not be renewed'

/** Connects the systems, creates caches and limits, and builds the app from them. */
export async function startApi({
  config,
  clients,
  db,
  store,
  observability,
  readiness,
  registerRoutes,
  passwordCost,
  now,
  ...parts
}: ApiParts): Promise<Api> {
  const { logger, metrics, tracing, observe } = observability
  await using stack = new AsyncDisposableStack()
  const hasMirrors = config.merchants.some(({ mirror }) => mirror)
  collectWithoutHelpers()
  const limited = stack.use(limitMemory(config.cacheBytes, { hasMirrors }))
  const mirrorCacheBytes = hasMirrors ? limited.cacheBytes * MIRROR_SHARE : 0
  const cacheBytes = limited.cacheBytes - mirrorCacheBytes
  const commerce = await createCommandDependencies({ config, db, logger, passwordCost, now, stack })

  const publicUrl = { value: config.publicUrl ?? '' }
  const urlSigner = await setUpPictureUrls(db, () => publicUrl.value)
  const upstreams = connectUpstreams({
    ...parts,
    config,
    db,
    observability,
    stack,
    pictureUrls: urlSigner.createUrls,
    cacheBytes: cacheBytes * SECTION_SHARE,
    now,
  })
  const media = stack.use(setUpMedia({ config, upstreams, metrics, logger, now }))
  const limits = setUpRateLimits({ config, db, logger, now, stack })
  const responses = createResponseCache(cacheBytes * (1 - SECTION_SHARE))
  const merchants = new Set(config.merchants.map(({ merchant }) => merchant))
  registerCircuitAndCacheMetrics(metrics, {
    upstreams,
    responses,
    cacheBytes: config.cacheBytes,
    hasMirrors,
  })
  const channels = (config.notifications ?? []).map(({ id }) => id)
  registerStoreMetrics(metrics, { db, store, merchants: [...merchants], channels, now })

  const { pictures, countOutcome } = media
  const publicRouter = createUnauthenticatedRouter({
    db,
    store,
    upstreams,
    readiness,
    urlSigner,
    pictures,
    countOutcome,
    now,
  })
  registerRoutes?.(publicRouter)
  const handler = createApp({
    keys: stack.use(createApiKeyCache(db, (merchant) => merchants.has(merchant), { now, store })),
    clients,
    keylessMode: config.keylessMode ?? 'live',
    upstreams,
    responses,
    commerce,
    claims: stack.use(createIdempotencyClaims({ db, now, onError: logJobErrors(logger, RENEWAL_FAILED, now) })),
    limits,
    logger,
    observe,
    tracing,
    routes: apiRoutes,
    publicRouter,
    budget: { totalMs: config.deadlineMs, reserveMs: RESERVE_MS },
    now,
  })
  const running = stack.move()
  return {
    handler,
    upstreams,
    responses,
    commerce,
    mirrorCacheBytes,
    get publicUrl() {
      return publicUrl.value
    },
    setAddress(address) {
      publicUrl.value ||= address
      return publicUrl.value
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

interface CommandDependencyParts extends Pick<ApiParts, 'config' | 'db' | 'passwordCost' | 'now'> {
  logger: Observability['logger']
  stack: AsyncDisposableStack
}

/** Throws when `webhooks.key` cannot decrypt the signing secrets in the store. */
async function createCommandDependencies(parts: CommandDependencyParts): Promise<CommandDependencies> {
  const { config, db, logger, passwordCost, now, stack } = parts
  const secretCipher = createSecretCipher(config.webhooks.keys ?? [readOrCreateEncryptionKey(config.dataDirectory)])
  await verifyEncryptionKey(db, secretCipher, now())
  const { send: sendWebhook } = stack.use(createWebhookSender({ rules: config.webhooks, now, version }))
  return {
    db,
    mailer: stack.use(createMailSender(config.mail ?? null, logger)),
    passwordHasher: createPasswordHasher({ cost: passwordCost }),
    throttle: createActionThrottle({ db, now }),
    secretCipher,
    sendWebhook,
    endpointRules: config.webhooks,
    now,
  }
}
