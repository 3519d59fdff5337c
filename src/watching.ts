import { hostname } from 'node:os'
import type { Config } from './config.ts'
import { createDiagnostics, type Diagnostics } from './diagnostics/diagnostics.ts'
import { type Observe, observer } from './http/access.ts'
import { createLog } from './operations/log.ts'
import { createMetrics, type Metrics } from './operations/metrics.ts'
import { version } from './operations/version.ts'
import type { Database } from './storage/database.ts'
import { randomBase62 } from './storage/key-format.ts'
import { openTracing } from './tracing/open-tracing.ts'
import type { Tracing } from './tracing/tracing.ts'
import type { OfficesParts } from './upstream/offices.ts'

export interface WatchingParts {
  config: Config
  db: Database
  /** Neither counts nor keeps how requests and calls went: for measuring what that costs. */
  unwatched: boolean
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

/** Sees nothing. */
const blind = { observe() {}, called() {}, turned() {} }

export async function startWatching({ config, db, unwatched, now }: WatchingParts): Promise<Watching> {
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
  const [counting, keeping] = unwatched ? [blind, blind] : [metrics, diagnostics]
  const running = stack.move()
  return {
    ...{ logger, metrics, diagnostics, tracing },
    observe: observer(log, counting, keeping),
    onCall(owner, call) {
      counting.called(owner, call)
      keeping.called(owner, call)
    },
    onTurn(owner, system, state) {
      counting.turned(owner, system, state)
      keeping.turned(owner, system, state)
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
