import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import { createDiagnostics, type Diagnostics } from '../diagnostics/diagnostics.ts'
import { formatAccessLogLine } from '../http/access-log-line.ts'
import type { RequestObserver } from '../http/observe-requests.ts'
import { createLog } from '../operations/log.ts'
import { createMetrics, type Metrics } from '../operations/metrics.ts'
import { version } from '../operations/version.ts'
import { randomBase62 } from '../security/base62.ts'
import type { Database } from '../storage/database.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import { openTracing, type Tracing } from '../tracing/tracing.ts'
import type { UpstreamRegistryParts } from '../upstream/upstream-registry.ts'
import type { WorkerContext } from './workers/worker-context.ts'

/** What may be switched off to measure its cost. */
export type Observer = 'metrics' | 'diagnostics'

export interface ObservabilityParts {
  config: Config
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  /** This process is a worker, whose metrics are read with those of all others. */
  worker: WorkerContext | undefined
  /** Called for each request and call: `false` leaves it out of metrics or of diagnostics. */
  isObserved: (observer: Observer) => boolean
  now: () => number
}

/** The log, metrics, diagnostics and, if configured, tracing of a process. */
export interface Observability
  extends AsyncDisposable,
    Required<Pick<UpstreamRegistryParts, 'onCall' | 'onCircuitChange'>> {
  logger: ReturnType<typeof createLog>['logger']
  metrics: Metrics
  diagnostics: Diagnostics
  tracing: Tracing | undefined
  /** Called with each request after its response. */
  observe: RequestObserver
  /** Opens the file of the log again, after it was moved. */
  reopenLog(): void
}

export async function startObservability(parts: ObservabilityParts): Promise<Observability> {
  const { config, db, store, worker, isObserved, now } = parts
  await using stack = new AsyncDisposableStack()
  const log = stack.use(createLog(config.log, worker?.worker))
  const { logger } = log
  const tracing = config.tracing ? stack.use(await openTracing(config.tracing, { version, logger, now })) : undefined
  const ownMetrics = createMetrics({ merchants: config.merchants.map(({ merchant }) => merchant) })
  const metrics = worker ? { ...ownMetrics, text: worker.readMetrics } : ownMetrics
  const diagnostics = stack.use(
    createDiagnostics({
      db,
      store,
      now,
      process: `${hostname()}/${process.pid}/${randomBase62(4)}`,
      onError: (err) => logger.warn({ err }, 'diagnostics could not be written; they will be written later'),
    }),
  )
  const running = stack.move()
  return {
    logger,
    metrics,
    diagnostics,
    tracing,
    reopenLog: log.reopen,
    observe(outcome) {
      if (isObserved('metrics')) metrics.countRequest(outcome)
      if (isObserved('diagnostics')) diagnostics.recordRequest(outcome)
      log.writeAccessLine(formatAccessLogLine(outcome, log.startAccessLine(Date.now())))
    },
    onCall(tenant, call) {
      if (isObserved('metrics')) metrics.countCall(tenant, call)
      if (isObserved('diagnostics')) diagnostics.recordCall(tenant, call)
    },
    onCircuitChange(tenant, circuit, state, failures) {
      if (isObserved('metrics')) metrics.countCircuitTransition(tenant, circuit, state)
      if (isObserved('diagnostics')) diagnostics.recordCircuitTransition(tenant, circuit, state, { failures })
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
