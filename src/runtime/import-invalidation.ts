import { LISTS_TAG, REFERENCES_TAG } from '../cache/invalidations.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import { createImportPoller } from '../imports/import-poller.ts'
import { fitmentImports } from '../storage/fitment/fitment-imports.ts'
import type { ImportStore } from '../storage/imports/import-store.ts'
import { referenceImports } from '../storage/references/reference-imports.ts'
import { tenantKey } from '../tenant.ts'
import type { BackgroundJobsParts } from './background-jobs.ts'
import { logJobErrors } from './log-job-errors.ts'

/** Invalidates caches after an import of fitment or references, which runs in another process. */
export function startImportInvalidation(parts: BackgroundJobsParts): AsyncDisposable {
  const stack = new AsyncDisposableStack()
  if (parts.config.merchants.some(hasImportedFitment)) stack.use(watchImports(fitmentImports, LISTS_TAG, parts))
  stack.use(watchImports(referenceImports, REFERENCES_TAG, parts))
  return stack
}

const watchImports = (store: ImportStore<unknown>, tag: string, { db, observability, api, now }: BackgroundJobsParts) =>
  createImportPoller({
    db,
    store,
    onChanged(tenant) {
      api.upstreams.forTenant(tenant)?.backOffice.invalidate([tag], false)
      api.responses.invalidations(tenantKey(tenant)).invalidate([tag])
    },
    onError: logJobErrors(observability.logger, `imports of ${store.subject} could not be read`, now),
  })

const hasImportedFitment = ({ live, sandbox, sandboxFitment }: MerchantConfig): boolean =>
  [live.fitment, sandbox?.fitment, sandboxFitment].includes('imported')
