import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { isSharedStore } from '../config/store-address.ts'
import { limitClients } from '../http/limits/client-rate-limiter.ts'
import { createKeyRateLimiter } from '../http/limits/key-rate-limiter.ts'
import type { RateLimiter } from '../http/limits/rate-limiter.ts'
import { createSharedRateLimiter } from '../http/limits/shared-rate-limiter.ts'
import type { Database } from '../storage/database.ts'
import { logJobErrors } from './log-job-errors.ts'

export interface RateLimitSetupParts {
  config: Pick<Config, 'store' | 'workers'>
  db: Database
  logger: Logger
  now: () => number
  stack: AsyncDisposableStack
}

/** Creates the rate limiter. Processes that share a store also share the limits of keys; each process counts clients by itself. */
export function setUpRateLimits({ config, db, logger, now, stack }: RateLimitSetupParts): RateLimiter {
  const limiter = createKeyRateLimiter()
  if (!isSharedStore(config)) return limitClients(limiter)
  const onFailure = logJobErrors(logger, 'rate limits could not be exchanged with other processes', now)
  return limitClients(stack.use(createSharedRateLimiter(limiter, { db, now, onFailure })))
}
