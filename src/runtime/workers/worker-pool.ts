import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { WorkerCounts } from '../../operations/primary-metrics.ts'
import type { ServerAddresses } from '../server-addresses.ts'
import type { ForkedWorker, ForkWorker, WorkerSettings } from './forked-worker.ts'
import { killWhenHung } from './kill-when-hung.ts'
import { createRestartDelays } from './restart-delay.ts'

export interface WorkerGeneration extends WorkerSettings {
  count: number
  /** How long a worker may take to drain before it is killed. */
  drainTimeoutMs: number
}

export interface WorkerPoolParts {
  fork: ForkWorker
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  onRestart(): void
  onEnded(worker: ForkedWorker): void
  /** Milliseconds of a monotonic clock. */
  now?: () => number
  wait?: (ms: number) => Promise<unknown>
  startTimeoutMs?: number
}

/** The workers of a server. One that ends unexpectedly is started again. */
export interface WorkerPool {
  /** Starts all workers, waits until they accept requests, and then drains those that they replace. When one cannot start, the earlier ones go on. */
  replaceAll(generation: WorkerGeneration): Promise<ServerAddresses>
  /** Drains all workers and resolves when they have ended. None is started again. */
  drain(reason: string): Promise<void>
  /** Ends all workers at once. */
  kill(): void
  /** All workers, the older ones first. */
  list(): ForkedWorker[]
  counts(): WorkerCounts
}

/** A start that takes longer has failed: a store may be locked, or a system that is asked at start may hang. */
const START_TIMEOUT_MS = 120_000

export function createWorkerPool(parts: WorkerPoolParts): WorkerPool {
  const { fork, logger, now = performance.now.bind(performance), wait = pause } = parts
  const { startTimeoutMs = START_TIMEOUT_MS } = parts
  const delays = createRestartDelays()
  const starting = new Set<ForkedWorker>()
  /** Workers that already accept requests while others of their generation are not ready. */
  const ready = new Set<ForkedWorker>()
  const serving = new Map<number, ForkedWorker>()
  const draining = new Set<ForkedWorker>()
  let generation: WorkerGeneration | null = null
  let isStopping = false

  function start(worker: number, settings: WorkerSettings): ForkedWorker {
    const started = fork(worker, settings)
    starting.add(started)
    const leave = () => starting.delete(started)
    started.ready.then(leave, leave)
    void started.ended.then(() => {
      leave()
      ready.delete(started)
      draining.delete(started)
      parts.onEnded(started)
    })
    return started
  }

  /** From now on the worker is started again when it ends, even if it has ended already. */
  function serve(started: ForkedWorker): void {
    const since = now()
    ready.delete(started)
    serving.set(started.worker, started)
    void started.ended.then((how) => {
      if (serving.get(started.worker) === started) restart(started, how, now() - since)
    })
    void killWhenHung(started, logger)
  }

  function restart({ worker, pid }: ForkedWorker, how: string, livedMs: number): void {
    serving.delete(worker)
    if (isStopping) return
    const delayMs = delays.next(worker, livedMs)
    logger.error({ worker, pid, how, delay_ms: delayMs }, 'a worker has ended and is started again')
    parts.onRestart()
    const current = generation!
    void wait(delayMs).then(() => {
      if (isStopping || generation !== current) return
      const started = start(worker, current)
      serve(started)
      void reportRestart(started)
    })
  }

  async function reportRestart(started: ForkedWorker): Promise<void> {
    const { worker, pid } = started
    try {
      if (await waitUpTo(startTimeoutMs, started.ready))
        return logger.info({ worker, pid }, 'a worker was started again')
      logger.error({ worker, pid }, 'a worker was not ready in time and is killed')
      started.kill()
    } catch (err) {
      logger.error({ worker, err }, 'a worker could not be started again')
    }
  }

  function drainAll(workers: Iterable<ForkedWorker>, reason: string, isReplaced: boolean, timeoutMs: number) {
    const ends = [...workers].map(async (worker) => {
      draining.add(worker)
      worker.drain(reason, isReplaced)
      if ((await waitUpTo(timeoutMs, worker.ended)) !== null) return
      logger.warn({ worker: worker.worker, pid: worker.pid }, 'a worker did not end in time and is killed')
      worker.kill()
      await worker.ended
    })
    return Promise.all(ends).then(() => {})
  }

  async function startAll(next: WorkerGeneration): Promise<[ForkedWorker[], ServerAddresses]> {
    requireRunning()
    const workers = Array.from({ length: next.count }, (_, index) => start(index + 1, next))
    for (const worker of workers)
      worker.ready.then(
        () => ready.add(worker),
        () => {},
      )
    const all = Promise.all(workers.map((worker) => worker.ready))
    try {
      const addresses = await waitUpTo(startTimeoutMs, all)
      if (!addresses) throw new Error(`not all workers were ready after ${startTimeoutMs / 1_000} s`)
      requireRunning()
      return [workers, addresses[0]!]
    } catch (error) {
      await abandon(workers, next.drainTimeoutMs)
      throw error
    }
  }

  function requireRunning(): void {
    if (isStopping) throw new Error('the server is shutting down')
  }

  /** Ends a generation that could not start. Workers that are ready may have requests, so they are drained, unless the server is being stopped. */
  async function abandon(workers: readonly ForkedWorker[], timeoutMs: number): Promise<void> {
    if (isStopping) return
    const accepting = workers.filter((worker) => ready.delete(worker))
    const others = workers.filter((worker) => !accepting.includes(worker))
    void drainAll(accepting, 'not all new workers could start', true, timeoutMs)
    for (const worker of others) worker.kill()
    await Promise.all(others.map(({ ended }) => ended))
  }

  return {
    async replaceAll(next) {
      const [workers, addresses] = await startAll(next)
      const replaced = [...serving.values()]
      const timeoutMs = generation?.drainTimeoutMs ?? 0
      generation = next
      serving.clear()
      for (const worker of workers) serve(worker)
      // Not awaited: requests in progress may take a while.
      void drainAll(replaced, 'replaced by another worker', true, timeoutMs)
      return addresses
    },
    async drain(reason) {
      isStopping = true
      for (const worker of starting) worker.kill()
      const workers = new Set([...serving.values(), ...ready, ...draining])
      await drainAll(workers, reason, false, generation?.drainTimeoutMs ?? 0)
    },
    kill() {
      isStopping = true
      for (const worker of [...starting, ...ready, ...serving.values(), ...draining]) worker.kill()
    },
    list: () => [...new Set([...draining, ...serving.values(), ...ready, ...starting])],
    counts: () => ({
      starting: starting.size,
      ready: serving
        .values()
        .filter((worker) => !starting.has(worker))
        .toArray().length,
      draining: draining.size,
    }),
  }
}
