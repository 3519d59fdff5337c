import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ForkedWorker } from './forked-worker.ts'

/** How often a worker reports that its event loop runs. */
export const HEARTBEAT_MS = 2_000
const CHECK_MS = 5_000
/** Consecutive checks rather than a time: after a suspension of the machine, the first check comes before any heartbeat can. */
const MAX_SILENT_CHECKS = 6

/** Waits without keeping the process alive. */
const waitUnref = (ms: number) => pause(ms, undefined, { ref: false })

/** Kills a worker that is ready and then sends nothing for 30 seconds. Resolves when the worker has ended. */
export async function killWhenHung(
  worker: ForkedWorker,
  logger: Pick<Logger, 'error'>,
  wait: (ms: number) => Promise<unknown> = waitUnref,
): Promise<void> {
  let hasEnded = false
  const ended = worker.ended.then(() => {
    hasEnded = true
  })
  await Promise.race([worker.ready.catch(() => ended), ended])
  let silentChecks = 0
  while (silentChecks < MAX_SILENT_CHECKS) {
    await Promise.race([wait(CHECK_MS), ended])
    if (hasEnded) return
    silentChecks = worker.takeSignOfLife() ? 0 : silentChecks + 1
  }
  logger.error({ worker: worker.worker, pid: worker.pid }, 'a worker hangs and is killed')
  worker.kill()
  await ended
}
