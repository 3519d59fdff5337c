import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { lockProcess, takeEndedProcesses } from '../files/process-locks.ts'
import { releaseEndedProcesses } from '../storage/release-dead-holders.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'

/**
 * Registers this process in the data directory, releases what killed processes of that directory held, and returns the id of this process. Processes
 * of other machines have other data directories: they may still run, and their leases expire.
 */
export async function registerProcess(
  { config, db, observability, now }: BackgroundJobsParts,
  stack: AsyncDisposableStack,
): Promise<string> {
  const folder = join(config.dataDirectory, 'processes')
  try {
    const { id } = stack.use(lockProcess(folder))
    await takeEndedProcesses(folder, (ids) => releaseEndedProcesses(db, ids, new Date(now()).toISOString()))
    return id
  } catch (err) {
    observability.logger.warn({ err }, 'this process could not release what killed processes held')
    return randomUUID()
  }
}
