import { randomUUID } from 'node:crypto'
import { LISTS_TAG } from '../cache/invalidation.ts'
import { createCatalogChangePoller } from '../changes/catalog-change-poller.ts'
import type { CatalogChangeListener } from '../changes/change-source.ts'
import { createFeedScheduler } from '../changes/feed-scheduler.ts'
import { createImportPoller } from '../changes/import-poller.ts'
import type { MerchantConfig } from '../config/config.ts'
import { isPostgres } from '../config/store-address.ts'
import { fitmentImports } from '../storage/fitment/fitment-imports.ts'
import { modes, tenantKey } from '../tenant.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'
import { logStoreErrors } from './store-watch.ts'

/** The delay of catalog events: by then all processes on a store, which poll twice a second, have invalidated their caches. */
const CATALOG_EVENT_DELAY_MS = 1_500

/** Follows the changes of all systems, in this process or another on the same store, and invalidates caches. */
export function startChangeFeed({ config, db, observability, api, now }: BackgroundJobsParts): AsyncDisposable {
  const { logger } = observability
  const { upstreams, responses } = api
  const onChanged: CatalogChangeListener = (tenant, skus, { details }) => {
    upstreams.forTenant(tenant)?.backOffice.invalidate(skus, details)
    responses.invalidations(tenantKey(tenant)).invalidate(details ? [...skus, LISTS_TAG] : skus)
  }
  const isShared = isPostgres(config.store)
  const stack = new AsyncDisposableStack()
  if (isShared)
    stack.use(
      createCatalogChangePoller({
        db,
        now,
        onChanged,
        onError: logStoreErrors(logger, 'catalog changes from other processes could not be read', now),
      }),
    )
  stack.use(
    createFeedScheduler({
      db,
      now,
      holder: randomUUID(),
      intervalMs: config.feedIntervalMs,
      upstreams: config.merchants.flatMap(({ merchant }) =>
        modes.flatMap((mode) => {
          const upstream = upstreams.forTenant({ merchant, mode })
          return upstream ? [{ merchant, mode, backOffice: upstream.backOffice }] : []
        }),
      ),
      onChanged,
      catalogDelayMs: isShared ? CATALOG_EVENT_DELAY_MS : 0,
      onError: logStoreErrors(logger, 'the change feed failed; it will be retried', now, 'error'),
    }),
  )
  return stack
}

/** Invalidates caches after a fitment import, which runs in another process. */
export function startFitmentImportWatch({ config, db, observability, api, now }: BackgroundJobsParts): AsyncDisposable {
  if (!config.merchants.some(hasImportedFitment)) return new AsyncDisposableStack()
  return createImportPoller({
    db,
    store: fitmentImports,
    onChanged(tenant) {
      api.upstreams.forTenant(tenant)?.backOffice.invalidate([], true)
      api.responses.invalidations(tenantKey(tenant)).invalidate([LISTS_TAG])
    },
    onError: logStoreErrors(observability.logger, 'fitment imports could not be read', now),
  })
}

const hasImportedFitment = ({ live, sandbox, sandboxFitment }: MerchantConfig): boolean =>
  [live.fitment, sandbox?.fitment, sandboxFitment].includes('imported')
