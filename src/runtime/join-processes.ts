import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { lockProcess, takeEndedProcesses } from '../files/process-locks.ts'
import { releaseEndedProcesses } from '../storage/release-dead-holders.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'

/**
 * Returns the id of this process, and takes over from the processes of the data directory that were killed. Another machine has another data
 * directory: its processes may live, and their leases end by themselves.
 */
export async function joinProcesses(
  { config, db, observability, now }: BackgroundJobsParts,
  stack: AsyncDisposableStack,
): Promise<string> {
  const folder = join(config.dataDirectory, 'processes')
  try {
    const { id } = stack.use(lockProcess(folder))
    await takeEndedProcesses(folder, (ids) => releaseEndedProcesses(db, ids, new Date(now()).toISOString()))
    return id
  } catch (err) {
    observability.logger.warn({ err }, 'this process could not take over from those that were killed')
    return randomUUID()
  }
}
