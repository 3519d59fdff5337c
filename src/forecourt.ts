import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { createApp } from './app.ts'
import { followOperators } from './by-hand.ts'
import { createResponseCache } from './catalog/response-cache.ts'
import { createPasswords } from './commands/passwords.ts'
import { keepPruned } from './commands/prune.ts'
import { createSettler } from './commands/settle-orders.ts'
import { createThrottle } from './commands/throttle.ts'
import type { Config, SystemsConfig } from './config.ts'
import { consolePages } from './console/pages.ts'
import { createDiagnostics } from './diagnostics/diagnostics.ts'
import { createSender } from './events/sender.ts'
import { openGallery, pictureAddresses } from './gallery.ts'
import { observer } from './http/access.ts'
import { createKeyDirectory } from './http/key-directory.ts'
import { createRateLimits } from './http/rate-limit.ts'
import { sharedLimits } from './http/shared-limits.ts'
import { startConsole } from './on-call.ts'
import { failureLog } from './operations/failure-log.ts'
import { houseMetrics } from './operations/house-metrics.ts'
import { createLog } from './operations/log.ts'
import { createMail } from './operations/mail.ts'
import { holdMemory } from './operations/memory.ts'
import { createMetrics } from './operations/metrics.ts'
import { createReadiness } from './operations/readiness.ts'
import { storeMetrics } from './operations/store-metrics.ts'
import { version } from './operations/version.ts'
import { startDispatcher, startFeed, startFitmentWatch } from './outgoing.ts'
import type { Adapter } from './ports/adapter.ts'
import { openPages } from './routes/open.ts'
import { routes } from './routes/routes.ts'
import { type ListenAt, type Listening, listen, type ServerLimits } from './server.ts'
import { type Database, openDatabase, SERVER_PATIENCE_MS } from './storage/database.ts'
import { randomBase62 } from './storage/key-format.ts'
import { createVault, keptKey, mustOpen } from './storage/vault.ts'
import { isPostgres } from './store-address.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { importedFitment } from './upstream/imported-fitment.ts'
import { createOffices, type Offices } from './upstream/offices.ts'

export interface Forecourt extends AsyncDisposable {
  address: string
  metricsAddress: string | null
  /** Of the pages for those on call. */
  operationsAddress: string | null
  db: Database
  offices: Offices
  /** Says that it is not ready any more, and goes on for as long as `drain.delayMs` says: then it is to be disposed. */
  drain(): Promise<void>
}

export interface ForecourtParts {
  config: Config
  adapters: Readonly<Record<string, Adapter>>
  embedded(merchant: string): SystemsConfig
  /** Milliseconds since the epoch. */
  now?: () => number
  serverLimits?: Partial<ServerLimits>
  /** Neither counts nor keeps how requests and calls went: for measuring what that costs. */
  unwatched?: boolean
}

/** Sees nothing. */
const blind = { observe() {}, called() {}, turned() {} }

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
  unwatched = false,
}: ForecourtParts): Promise<Forecourt> {
  const readiness = createReadiness()
  const merchants = new Set(config.merchants.map(({ merchant }) => merchant))
  await using stack = new AsyncDisposableStack()
  const { heldBytes } = stack.use(holdMemory(config.cacheBytes))
  const log = stack.use(createLog(config.log))
  const tracing = config.tracing && stack.use(await openTracing(config.tracing, { version, logger: log.logger, now }))
  const db = await openDatabase(config.store, SERVER_PATIENCE_MS)
  stack.defer(() => db.destroy())
  const onPruneFailure = (err: unknown) => log.logger.warn({ err }, 'what has expired could not be pruned')
  stack.use(keepPruned(db, now, onPruneFailure))
  const vault = createVault(config.webhooks.keys ?? [keptKey(config.dataDirectory)])
  await mustOpen(db, vault, now())
  const sender = stack.use(createSender({ rules: config.webhooks, now, version }))
  const mail = stack.use(createMail(config.mail ?? null, log.logger))
  const keys = stack.use(createKeyDirectory(db, (merchant) => merchants.has(merchant), now))
  const metrics = createMetrics({ merchants: [...merchants] })
  const diagnostics = stack.use(
    createDiagnostics({
      ...{ db, now, process: `${hostname()}/${process.pid}/${randomBase62(4)}` },
      onError: (err) => log.logger.warn({ err }, 'diagnostics are not kept; what was counted is tried again'),
    }),
  )
  const [counting, keeping] = unwatched ? [blind, blind] : [metrics, diagnostics]
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
      onCall(owner, call) {
        counting.called(owner, call)
        keeping.called(owner, call)
      },
      onTurn(owner, system, state) {
        counting.turned(owner, system, state)
        keeping.turned(owner, system, state)
      },
      ...(tracing && { trailOf: tracing.background }),
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
  houseMetrics(metrics, { offices, responses, cacheBytes: config.cacheBytes })
  storeMetrics(metrics, { db, merchants: [...merchants], now })
  const outgoing = { config, db, vault, send: sender.send, mail, metrics, offices, responses, logger: log.logger, now }
  const gallery = stack.use(openGallery({ config, offices, metrics, logger: log.logger, now }))
  stack.use(startDispatcher(outgoing))
  const feeding = stack.use(new AsyncDisposableStack())
  stack.use(startFitmentWatch(outgoing))
  const directives = stack.use(await followOperators({ db, offices, responses, diagnostics, logger: log.logger, now }))
  const throttle = createThrottle()
  const app = createApp({
    keys,
    offices,
    responses,
    commerce: {
      db,
      mail,
      passwords: createPasswords(),
      throttle,
      vault,
      send: sender.send,
      endpoints: config.webhooks,
      now,
    },
    limits,
    budget: { totalMs: config.deadlineMs, reserveMs: RESERVE_MS },
    logger: log.logger,
    observe: observer(log, counting, keeping),
    tracing,
    routes,
    open: openPages({ db, offices, readiness, now, addresses, pictures: gallery.pictures, count: gallery.count }),
    now,
  })
  const metricsAt = config.metrics
    ? stack.use(await listenForMetrics({ ...config.metrics, setting: 'metrics.port' }, metrics.text))
    : null
  // Put away after the API: it tells until the end that this process is not ready.
  const onCall = stack.use(new AsyncDisposableStack())
  const api = stack.use(
    await listen(app, config.listen, {
      idleTimeout: Math.max(IDLE_MS, config.deadlineMs + 5_000),
      finishMs: config.drain?.finishMs,
      ...serverLimits,
    }),
  )
  publicAt.url ||= api.address
  if (!config.publicUrl && anywhere.has(config.listen.host))
    log.logger.warn('public_url is not set: addresses of pictures lead to this machine alone')
  // Not before: what the feed compares of a product has the addresses of its pictures in it.
  feeding.use(startFeed(outgoing))
  const pages = consolePages({
    ...{ db, offices, merchants: config.merchants, throttle, endpoints: config.webhooks, logger: log.logger, now },
    ...{ diagnostics, directives },
  })
  const shell = { db, pages, metrics, readiness, logger: log.logger, now }
  const operations = config.operations ? onCall.use(await startConsole({ config: config.operations, ...shell })) : null
  readiness.started()
  log.logger.info(
    { address: api.address, public_url: publicAt.url, operations: operations?.address ?? null },
    'listening',
  )
  const running = stack.move()
  return {
    address: api.address,
    metricsAddress: metricsAt?.address ?? null,
    operationsAddress: operations?.address ?? null,
    db,
    offices,
    async drain() {
      readiness.draining()
      if (config.drain?.delayMs) await pause(config.drain.delayMs)
    },
    [Symbol.asyncDispose]() {
      readiness.draining()
      return running.disposeAsync()
    },
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
