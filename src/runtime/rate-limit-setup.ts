import type { Logger } from 'pino'
import { isPostgres } from '../config/store-address.ts'
import { limitClients } from '../http/limits/client-rate-limiter.ts'
import { createRateLimiter, type RateLimiter } from '../http/limits/rate-limiter.ts'
import { createSharedRateLimiter } from '../http/limits/shared-rate-limiter.ts'
import type { Database } from '../storage/database.ts'
import { logStoreErrors } from './store-watch.ts'

export interface RateLimitSetupParts {
  /** `sqlite:<path>` or `postgres://…`. */
  store: string
  db: Database
  logger: Logger
  now: () => number
  stack: AsyncDisposableStack
}

/** Creates the rate limiter. Processes that share a PostgreSQL store also share the limits of keys; each process counts clients by itself. */
export function setUpRateLimits({ store, db, logger, now, stack }: RateLimitSetupParts): RateLimiter {
  const limiter = createRateLimiter()
  if (!isPostgres(store)) return limitClients(limiter)
  const onFailure = logStoreErrors(logger, 'rate limits could not be exchanged with other processes', now)
  return limitClients(stack.use(createSharedRateLimiter(limiter, { db, now, onFailure })))
}
