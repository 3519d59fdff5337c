import { createPendingOrderRetrier } from '../commands/orders/pending-order-retrier.ts'
import type { Config } from '../config/config.ts'
import { isSharedStore } from '../config/store-address.ts'
import { followCircuits } from '../operations/circuit-follower.ts'
import type { HoldAndPurgeFollower } from '../operations/hold-and-purge-follower.ts'
import type { Database } from '../storage/database.ts'
import { tenantKey } from '../tenant.ts'
import { startEventNumbering } from '../webhooks/event-numbering.ts'
import type { Api } from './api.ts'
import { startChangeFeed } from './change-feed-setup.ts'
import { followHoldsAndPurges } from './hold-and-purge-setup.ts'
import { startImportInvalidation } from './import-invalidation.ts'
import { logJobErrors } from './log-job-errors.ts'
import { type Mirrors, startMirrors } from './mirror-setup.ts'
import type { Observability } from './observability.ts'
import { startOutageNotices } from './outage-notice-setup.ts'
import { registerProcess } from './register-process.ts'
import { startWebhookDelivery } from './webhook-delivery-setup.ts'

export interface BackgroundJobsParts {
  config: Config
  db: Database
  observability: Observability
  api: Api
  now: () => number
  startsMirrors: boolean
}

export interface CatalogJobsParts extends BackgroundJobsParts {
  /** Identifies this process among those that share the store. */
  processId: string
}

export interface BackgroundJobs extends AsyncDisposable {
  holdsAndPurges: HoldAndPurgeFollower
  mirrors: Mirrors
  /** Starts when `after` resolves, or at once. Call it when the API has its public URL. */
  startChangeFeed(after: Promise<unknown> | undefined): void
}

/** Starts the jobs that run without a request: retries of pending orders, webhook delivery, and followers of the store and the systems. */
export async function startBackgroundJobs(parts: BackgroundJobsParts): Promise<BackgroundJobs> {
  const { db, observability, api, now } = parts
  const { logger, diagnostics } = observability
  const { upstreams, responses } = api
  await using stack = new AsyncDisposableStack()
  const catalogParts = { ...parts, processId: await registerProcess(parts, stack) }
  stack.use(
    createPendingOrderRetrier({
      commerce: { db, now },
      backOfficeFor: (tenant) => upstreams.forTenant(tenant)?.backOffice ?? null,
      onError: logJobErrors(logger, 'a pending order could not be completed; it will be retried', now, 'error'),
    }),
  )
  stack.use(startWebhookDelivery(parts))
  stack.use(startOutageNotices(parts))
  stack.use(
    startEventNumbering({
      db,
      now,
      onError: (err) => logger.error({ err }, 'new events could not be numbered; this will be retried'),
    }),
  )
  const mirrors = stack.use(startMirrors(catalogParts))
  await Promise.all(mirrors.all.map(({ registered }) => registered))
  const changeFeed = stack.use(new AsyncDisposableStack())
  stack.use(startImportInvalidation(parts))
  const holdsAndPurges = stack.use(await followHoldsAndPurges({ db, upstreams, responses, diagnostics, logger, now }))
  if (isSharedStore(parts.config)) stack.use(shareCircuits(parts))
  const running = stack.move()
  return {
    holdsAndPurges,
    mirrors,
    startChangeFeed(after) {
      const start = () => void (changeFeed.disposed || changeFeed.use(startChangeFeed(catalogParts, mirrors)))
      if (after) after.then(start, () => {})
      else start()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function shareCircuits({ db, observability, api, now }: BackgroundJobsParts): AsyncDisposable {
  const onError = logJobErrors(observability.logger, 'circuits could not be shared with other processes', now)
  const circuits = api.upstreams.sharedCircuits()
  observability.diagnostics.watchCircuits(
    (tenant, circuit) => circuits.get(`${tenantKey(tenant)}/${circuit}`)?.ownState === 'half-open',
  )
  return followCircuits({ db, now, circuits, onError })
}
