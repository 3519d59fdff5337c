import { LISTS_TAG } from '../cache/invalidations.ts'
import type { CatalogChangeListener } from '../changes/feed/catalog-change-listener.ts'
import { createOtherProcessChangePoller } from '../changes/feed/other-process-change-poller.ts'
import { CATALOG_EVENT_HOLD_MS } from '../changes/mirror/event-release.ts'
import { createFeedScheduler } from '../changes/schedule/feed-scheduler.ts'
import { isSharedStore } from '../config/store-address.ts'
import { modes, tenantKey } from '../tenant.ts'
import { createBackInStockMailer } from './back-in-stock-emails.ts'
import type { CatalogJobsParts } from './background-jobs.ts'
import { logJobErrors } from './log-job-errors.ts'
import type { Mirrors } from './mirror-setup.ts'

/** The delay of catalog events: by then all processes on a store, which poll twice a second, have invalidated their caches. */
const CATALOG_EVENT_DELAY_MS = 1_500

/** Follows the changes of all systems, in this process or another on the same store, and invalidates caches. */
export function startChangeFeed(
  { config, db, observability, api, now, processId }: CatalogJobsParts,
  mirrors: Pick<Mirrors, 'find'>,
): AsyncDisposable {
  const { logger } = observability
  const { upstreams, responses } = api
  const onChanged: CatalogChangeListener = (tenant, skus, { details }) => {
    const mirror = mirrors.find(tenant)
    // Reads come from the mirror, which invalidates the caches when it has the change.
    if (mirror?.isServing) return mirror.follow()
    upstreams.forTenant(tenant)?.backOffice.invalidate(skus, details)
    responses.invalidations(tenantKey(tenant)).invalidate(details ? [...skus, LISTS_TAG] : skus)
  }
  const isShared = isSharedStore(config)
  const stack = new AsyncDisposableStack()
  if (isShared)
    stack.use(
      createOtherProcessChangePoller({
        db,
        now,
        onChanged,
        onError: logJobErrors(logger, 'catalog changes from other processes could not be read', now),
      }),
    )
  stack.use(
    createFeedScheduler({
      db,
      now,
      holder: processId,
      intervalMs: config.feedIntervalMs,
      upstreams: config.merchants.flatMap(({ merchant }) =>
        modes.flatMap((mode) => {
          const upstream = upstreams.forTenant({ merchant, mode })
          if (!upstream) return []
          const { hasMirror, backOffice } = upstream
          return [
            { merchant, mode, backOffice, hasMirror, ...(hasMirror && { catalogDelayMs: CATALOG_EVENT_HOLD_MS }) },
          ]
        }),
      ),
      onChanged,
      onBackInStock: createBackInStockMailer({
        db,
        mailer: api.commerce.mailer,
        merchants: config.merchants,
        onError: logJobErrors(logger, 'an email about a product in stock could not be sent', now),
      }),
      catalogDelayMs: isShared ? CATALOG_EVENT_DELAY_MS : 0,
      onError: logJobErrors(logger, 'the change feed failed; it will be retried', now, 'error'),
    }),
  )
  return stack
}
