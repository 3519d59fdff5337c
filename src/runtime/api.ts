import type { RequestListener } from 'node:http'
import { createApp } from '../app.ts'
import { followOperators } from './operator-overrides.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import type { Commerce } from '../commands/command-context.ts'
import { createPasswords } from '../commands/password-hasher.ts'
import { createSettler } from '../commands/orders/pending-order-retrier.ts'
import { createThrottle } from '../commands/action-throttle.ts'
import type { Config } from '../config/config.ts'
import { createSender } from '../webhooks/sender.ts'
import { openGallery, pictureAddresses } from './media-setup.ts'
import { createKeyDirectory } from '../http/api-key-cache.ts'
import { createRateLimits } from '../http/rate-limiter.ts'
import { sharedLimits } from '../http/shared-rate-limiter.ts'
import type { Directives } from '../operations/override-follower.ts'
import { failureLog } from '../operations/upstream-failure-log.ts'
import { houseMetrics } from '../operations/circuit-and-cache-metrics.ts'
import { createMail } from '../operations/mail.ts'
import { holdMemory } from '../operations/memory-limit.ts'
import type { Readiness } from '../operations/readiness.ts'
import { storeMetrics } from '../operations/store-metrics.ts'
import { version } from '../operations/version.ts'
import { startDispatcher, startFeed, startFitmentWatch } from './background-jobs.ts'
import { openPages } from '../routes/public-routes.ts'
import { routes } from '../routes/api-routes.ts'
import type { Database } from '../storage/database.ts'
import { createVault, keptKey, mustOpen } from '../storage/keys/secret-encryption.ts'
import { isPostgres } from '../config/store-address.ts'
import { importedFitment } from '../upstream/imported-fitment-port.ts'
import { createOffices, type Offices, type OfficesParts } from '../upstream/upstream-registry.ts'
import type { Watching } from './observability.ts'

export interface AnsweringParts extends Pick<OfficesParts, 'adapters' | 'embedded'> {
  config: Config
  embeddedStart: Promise<unknown> | undefined
  db: Database
  watching: Watching
  readiness: Readiness
  now: () => number
}

/** The API, ready to be listened to, and what it answers from. */
export interface Answering extends AsyncDisposable {
  handler: RequestListener
  offices: Offices
  directives: Directives
  commerce: Commerce
  /** Says where the API listens. Gives its address as browsers reach it. */
  openTo(address: string): string
}

/** Of a request's time, what is kept for assembling and sending. */
const RESERVE_MS = 50
/** Half of what is held is sections, half the bytes of answers. */
const SECTION_SHARE = 0.5

/** Connects the back offices and caches, sends what has happened to who waits for it, and makes the app over all of them. */
export async function startAnswering({ config, db, watching, ...parts }: AnsweringParts): Promise<Answering> {
  const { readiness, now } = parts
  const { logger, metrics, diagnostics, tracing } = watching
  const merchants = new Set(config.merchants.map(({ merchant }) => merchant))
  await using stack = new AsyncDisposableStack()
  const { heldBytes } = stack.use(holdMemory(config.cacheBytes))

  const vault = createVault(config.webhooks.keys ?? [keptKey(config.dataDirectory)])
  await mustOpen(db, vault, now())
  const { send } = stack.use(createSender({ rules: config.webhooks, now, version }))
  const mail = stack.use(createMail(config.mail ?? null, logger))
  const keys = stack.use(createKeyDirectory(db, (merchant) => merchants.has(merchant), now))

  const publicAt = { url: config.publicUrl ?? '' }
  const addresses = await pictureAddresses(db, () => publicAt.url)
  const offices = stack.use(
    createOffices({
      merchants: config.merchants,
      adapters: parts.adapters,
      embedded: parts.embedded,
      imported: (owner) => importedFitment(db, owner),
      pictureUrls: addresses.urlsOf,
      cacheBytes: heldBytes * SECTION_SHARE,
      onFailure: failureLog(logger, now),
      onCall: watching.onCall,
      onTurn: watching.onTurn,
      ...(tracing && { trailOf: tracing.background }),
      now,
    }),
  )
  stack.use(
    createSettler({
      commerce: { db, now },
      officeOf: (merchant, mode) => offices.of(merchant, mode)?.office ?? null,
      onError: (err) => logger.error({ err }, 'an order could not be settled; it is tried again'),
    }),
  )
  const onExchangeFailure = (err: unknown) => logger.warn({ err }, 'rate limits are not shared with other processes')
  const limits = isPostgres(config.store)
    ? stack.use(sharedLimits(createRateLimits(), { db, now, onFailure: onExchangeFailure }))
    : createRateLimits()
  const responses = createResponseCache(heldBytes * (1 - SECTION_SHARE))
  houseMetrics(metrics, { offices, responses, cacheBytes: config.cacheBytes })
  storeMetrics(metrics, { db, merchants: [...merchants], now })

  const outgoing = { config, db, vault, send, mail, metrics, offices, responses, logger, now }
  const gallery = stack.use(openGallery({ config, offices, metrics, logger, now }))
  stack.use(startDispatcher(outgoing))
  const feeding = stack.use(new AsyncDisposableStack())
  stack.use(startFitmentWatch(outgoing))
  const directives = stack.use(await followOperators({ db, offices, responses, diagnostics, logger, now }))

  const throttle = createThrottle()
  const commerce = { db, mail, passwords: createPasswords(), throttle, vault, send, endpoints: config.webhooks, now }
  const handler = createApp({
    ...{ keys, offices, responses, commerce, limits, logger, observe: watching.observe, tracing, routes, now },
    budget: { totalMs: config.deadlineMs, reserveMs: RESERVE_MS },
    open: openPages({ db, offices, readiness, now, addresses, pictures: gallery.pictures, count: gallery.count }),
  })
  const running = stack.move()
  return {
    ...{ handler, offices, directives, commerce },
    openTo(address) {
      publicAt.url ||= address
      // Not before: what the feed compares of a product has the addresses of its pictures in it.
      const follow = () => void (feeding.disposed || feeding.use(startFeed(outgoing)))
      if (parts.embeddedStart) parts.embeddedStart.then(follow, () => {})
      else follow()
      return publicAt.url
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
