import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import { createDiagnostics, type Diagnostics } from '../diagnostics/diagnostics.ts'
import { formatAccessLogLine, type RequestObserver } from '../http/access-log.ts'
import { createLog } from '../operations/log.ts'
import { createMetrics, type Metrics } from '../operations/metrics.ts'
import { version } from '../operations/version.ts'
import type { Database } from '../storage/database.ts'
import { randomBase62 } from '../storage/keys/api-key-format.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { UpstreamRegistryParts } from '../upstream/upstream-registry.ts'

export interface ObservabilityParts {
  config: Config
  db: Database
  /** Asked each time whether to count, and keep, how a request or a call went. */
  isWatched: () => boolean
  now: () => number
}

/** All that is told how it goes: the log, metrics, diagnostics and, where it is configured, tracing. */
export interface Observability
  extends AsyncDisposable,
    Required<Pick<UpstreamRegistryParts, 'onCall' | 'onCircuitChange'>> {
  logger: ReturnType<typeof createLog>['logger']
  metrics: Metrics
  diagnostics: Diagnostics
  tracing: Tracing | undefined
  /** Told of each request when it has been answered. */
  observe: RequestObserver
}

export async function startObservability({ config, db, isWatched, now }: ObservabilityParts): Promise<Observability> {
  await using stack = new AsyncDisposableStack()
  const log = stack.use(createLog(config.log))
  const { logger } = log
  const tracing = config.tracing ? stack.use(await openTracing(config.tracing, { version, logger, now })) : undefined
  const metrics = createMetrics({ merchants: config.merchants.map(({ merchant }) => merchant) })
  const diagnostics = stack.use(
    createDiagnostics({
      ...{ db, now, process: `${hostname()}/${process.pid}/${randomBase62(4)}` },
      onError: (err) => logger.warn({ err }, 'diagnostics are not kept; what was counted is tried again'),
    }),
  )
  const running = stack.move()
  return {
    ...{ logger, metrics, diagnostics, tracing },
    observe(outcome) {
      if (isWatched()) {
        metrics.countRequest(outcome)
        diagnostics.recordRequest(outcome)
      }
      log.writeAccessLine(formatAccessLogLine(outcome, Date.now()))
    },
    onCall(owner, call) {
      if (!isWatched()) return
      metrics.countCall(owner, call)
      diagnostics.recordCall(owner, call)
    },
    onCircuitChange(owner, system, state) {
      if (!isWatched()) return
      metrics.countCircuitTransition(owner, system, state)
      diagnostics.recordCircuitTransition(owner, system, state)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
