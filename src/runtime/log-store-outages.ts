import type { Logger } from 'pino'
import type { Database } from '../storage/database.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'

export interface StoreOutageLogParts {
  db: Database
  store: StoreMonitor
  logger: Logger
  now: () => number
  /** Called with the reason when the store becomes unavailable, and with `null` when it is available again. */
  onChange?: ((reason: string | null) => void) | undefined
}

/** Logs when the store becomes unavailable, and when it is available again. */
export function logStoreOutages({ db, store, logger, now, onChange }: StoreOutageLogParts): void {
  store.watch(db, {
    onBegin({ reason }, err) {
      logger.error({ reason, err }, 'the store is unavailable')
      onChange?.(reason)
    },
    onEnd({ reason, beganAt }) {
      logger.info({ reason, seconds: Math.round((now() - beganAt) / 1_000) }, 'the store is available again')
      onChange?.(null)
    },
  })
}
