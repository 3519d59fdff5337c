import { hostname } from 'node:os'
import type { Config } from '../config/config.ts'
import { createDiagnostics, type Diagnostics } from '../diagnostics/diagnostics.ts'
import { accessLine, type Observe } from '../http/access-log.ts'
import { createLog } from '../operations/log.ts'
import { createMetrics, type Metrics } from '../operations/metrics.ts'
import { version } from '../operations/version.ts'
import type { Database } from '../storage/database.ts'
import { randomBase62 } from '../storage/keys/api-key-format.ts'
import { openTracing } from '../tracing/open-tracing.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { OfficesParts } from '../upstream/upstream-registry.ts'

export interface WatchingParts {
  config: Config
  db: Database
  /** Asked each time whether to count, and keep, how a request or a call went. */
  isWatched: () => boolean
  now: () => number
}

/** All that is told how it goes: the log, metrics, diagnostics and, where it is configured, tracing. */
export interface Watching extends AsyncDisposable, Required<Pick<OfficesParts, 'onCall' | 'onTurn'>> {
  logger: ReturnType<typeof createLog>['logger']
  metrics: Metrics
  diagnostics: Diagnostics
  tracing: Tracing | undefined
  /** Told of each request when it has been answered. */
  observe: Observe
}

export async function startWatching({ config, db, isWatched, now }: WatchingParts): Promise<Watching> {
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
        metrics.observe(outcome)
        diagnostics.observe(outcome)
      }
      log.line(accessLine(outcome, Date.now()))
    },
    onCall(owner, call) {
      if (!isWatched()) return
      metrics.called(owner, call)
      diagnostics.called(owner, call)
    },
    onTurn(owner, system, state) {
      if (!isWatched()) return
      metrics.turned(owner, system, state)
      diagnostics.turned(owner, system, state)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
