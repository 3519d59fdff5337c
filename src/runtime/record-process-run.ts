import { BACKGROUND_STOP_TIMEOUT_MS, waitUpTo } from '../lifecycle/wait-up-to.ts'
import { version } from '../operations/version.ts'
import type { Database } from '../storage/database.ts'
import { insertProcessStart, recordProcessStop } from '../storage/diagnostics/process-runs.ts'
import type { Observability } from './observability.ts'

export interface ProcessRunParts {
  db: Database
  observability: Pick<Observability, 'logger' | 'diagnostics'>
  configDigest: string | undefined
  now: () => number
}

/** Stores that this process serves from now on, and at its end that it stopped, for the operations pages. A store that fails delays nothing. */
export function recordProcessRun({ db, observability, configDigest, now }: ProcessRunParts): AsyncDisposable {
  const { logger, diagnostics } = observability
  const { process } = diagnostics.processState()
  const iso = () => new Date(now()).toISOString()
  const start = { at: iso(), process, version, config_digest: configDigest ?? null }
  const written = insertProcessStart(db, start).catch((err: unknown) =>
    logger.warn({ err }, 'the start of this process could not be stored'),
  )
  return {
    async [Symbol.asyncDispose]() {
      const stopped = written
        .then(() => recordProcessStop(db, start, iso()))
        .catch((err: unknown) => logger.warn({ err }, 'the end of this process could not be stored'))
      await waitUpTo(BACKGROUND_STOP_TIMEOUT_MS, stopped)
    },
  }
}
