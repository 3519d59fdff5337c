import { createApp } from './app.ts'
import { createResponseCache } from './catalog/response-cache.ts'
import { createPasswords } from './commands/passwords.ts'
import { keepPruned } from './commands/prune.ts'
import { createSettler } from './commands/settle-orders.ts'
import { createThrottle } from './commands/throttle.ts'
import type { Config, SystemsConfig } from './config.ts'
import { createSender } from './events/sender.ts'
import { openGallery, pictureAddresses } from './gallery.ts'
import { observer } from './http/access.ts'
import { createKeyDirectory } from './http/key-directory.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { sharedLimits } from './http/shared-limits.ts'
import { failureLog } from './operations/failure-log.ts'
import { createLog } from './operations/log.ts'
import { createMail } from './operations/mail.ts'
import { holdMemory } from './operations/memory.ts'
import { createMetrics } from './operations/metrics.ts'
import { version } from './operations/version.ts'
import { startDispatcher, startFeed, startFitmentWatch } from './outgoing.ts'
import type { Adapter } from './ports/adapter.ts'
import { openPages } from './routes/open.ts'
import { routes } from './routes/routes.ts'
import { type ListenAt, type Listening, listen, type ServerLimits } from './server.ts'
import { type Database, openDatabase, SERVER_PATIENCE_MS } from './storage/database.ts'
import { createVault, keptKey, mustOpen } from './storage/vault.ts'
import { isPostgres } from './store-address.ts'
import { importedFitment } from './upstream/imported-fitment.ts'
import { createOffices, type Offices } from './upstream/offices.ts'

export interface Forecourt extends AsyncDisposable {
  address: string
  metricsAddress: string | null
  db: Database
  offices: Offices
}

export interface ForecourtParts {
  config: Config
  adapters: Readonly<Record<string, Adapter>>
  embedded(merchant: string): SystemsConfig
  /** Milliseconds since the epoch. */
  now?: () => number
  serverLimits?: Partial<ServerLimits>
}

/** A connection on which nothing moves for so long is cut; longer than any request takes. Node looks twice before it cuts an unread answer. */
const IDLE_MS = 15_000
/** Of a request's time, what is kept for assembling and sending. */
const RESERVE_MS = 50
/** Hosts that are no address to anybody. */
const anywhere: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
/** Half of what is held is sections, half the bytes of answers. */
const SECTION_SHARE = 0.5

/** Starts the API: store, back offices, app, listener. Disposing drains it and lets go of everything in the opposite order. */
export async function startForecourt({
  config,
  adapters,
  embedded,
  now = Date.now,
  serverLimits,
}: ForecourtParts): Promise<Forecourt> {
  const merchants = new Set(config.merchants.map(({ merchant }) => merchant))
  await using stack = new AsyncDisposableStack()
  const { heldBytes } = stack.use(holdMemory(config.cacheBytes))
  const log = stack.use(createLog(config.log))
  const db = await openDatabase(config.store, SERVER_PATIENCE_MS)
  stack.defer(() => db.destroy())
  const onPruneFailure = (err: unknown) => log.logger.warn({ err }, 'what has expired could not be pruned')
  stack.use(keepPruned(db, now, onPruneFailure))
  const vault = createVault(config.webhooks.keys ?? [keptKey(config.dataDirectory)])
  await mustOpen(db, vault, now())
  const sender = stack.use(createSender({ rules: config.webhooks, now, version }))
  const mail = stack.use(createMail(config.mail ?? null, log.logger))
  const keys = stack.use(createKeyDirectory(db, (merchant) => merchants.has(merchant), now))
  const publicAt = { url: config.publicUrl ?? '' }
  const addresses = await pictureAddresses(db, () => publicAt.url)
  const offices = stack.use(
    createOffices({
      merchants: config.merchants,
      adapters,
      embedded,
      imported: (owner) => importedFitment(db, owner),
      pictureUrls: addresses.urlsOf,
      cacheBytes: heldBytes * SECTION_SHARE,
      onFailure: failureLog(log.logger, now),
      now,
    }),
  )
  stack.use(
    createSettler({
      commerce: { db, now },
      officeOf: (merchant, mode) => offices.of(merchant, mode)?.office ?? null,
      onError: (err) => log.logger.error({ err }, 'an order could not be settled; it is tried again'),
    }),
  )
  const onExchangeFailure = (err: unknown) =>
    log.logger.warn({ err }, 'rate limits are not shared with other processes')
  const limits = isPostgres(config.store)
    ? stack.use(sharedLimits(createRateLimits(), { db, now, onFailure: onExchangeFailure }))
    : createRateLimits()
  const responses = createResponseCache(heldBytes * (1 - SECTION_SHARE))
  const metrics = createMetrics()
  metrics.gauge('forecourt_section_cache_bytes', 'Bytes kept of sections', () => offices.bytes)
  metrics.gauge('forecourt_response_cache_bytes', 'Bytes kept of answers', () => responses.bytes)
  const outgoing = { config, db, vault, send: sender.send, mail, metrics, offices, responses, logger: log.logger, now }
  const gallery = stack.use(openGallery({ config, offices, metrics, logger: log.logger, now }))
  stack.use(startDispatcher(outgoing))
  const feeding = stack.use(new AsyncDisposableStack())
  stack.use(startFitmentWatch(outgoing))
  const app = createApp({
    keys,
    offices,
    responses,
    commerce: {
      db,
      mail,
      passwords: createPasswords(),
      throttle: createThrottle(),
      vault,
      send: sender.send,
      endpoints: config.webhooks,
      now,
    },
    limits,
    budget: { totalMs: config.deadlineMs, reserveMs: RESERVE_MS },
    logger: log.logger,
    observe: observer(log, metrics),
    routes,
    open: openPages({ db, offices, now, addresses, pictures: gallery.pictures, count: gallery.count }),
    now,
  })
  const metricsAt = config.metrics
    ? stack.use(await listenForMetrics({ ...config.metrics, setting: 'metrics.port' }, metrics.text))
    : null
  const api = stack.use(
    await listen(app, config.listen, { idleTimeout: Math.max(IDLE_MS, config.deadlineMs + 5_000), ...serverLimits }),
  )
  publicAt.url ||= api.address
  if (!config.publicUrl && anywhere.has(config.listen.host))
    log.logger.warn('public_url is not set: addresses of pictures lead to this machine alone')
  // Not before: what the feed compares of a product has the addresses of its pictures in it.
  feeding.use(startFeed(outgoing))
  log.logger.info({ address: api.address, public_url: publicAt.url }, 'listening')
  const running = stack.move()
  return {
    address: api.address,
    metricsAddress: metricsAt?.address ?? null,
    db,
    offices,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function listenForMetrics(at: ListenAt, text: () => Promise<string>): Promise<Listening> {
  return listen((_req, res) => {
    text().then(
      (body) => res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(body),
      () => res.writeHead(500).end(),
    )
  }, at)
}
