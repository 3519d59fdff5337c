import { LISTS_TAG, REFERENCES_TAG } from '../cache/invalidations.ts'
import { MirrorDamageError } from '../catalog/mirror/file/mirror-damage.ts'
import { toMirrorFolder } from '../catalog/mirror/file/mirror-folder.ts'
import { createMirrorThreads, type MirrorThreads } from '../catalog/mirror/threads/mirror-threads.ts'
import type { AppliedChanges } from '../changes/mirror/store-follower.ts'
import { startTenantMirror, type TenantMirror } from '../changes/mirror/tenant-mirror.ts'
import type { Config } from '../config/config.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { waitUpTo } from '../lifecycle/wait-up-to.ts'
import { createMirrorMetrics, type MirrorMetrics } from '../operations/mirror-metrics.ts'
import { isStoreUnavailable } from '../storage/store-errors.ts'
import { modes, type Tenant, tenantKey } from '../tenant.ts'
import type { TenantUpstream } from '../upstream/upstream-registry.ts'
import type { CatalogJobsParts } from './background-jobs.ts'

/** The mirrors of all tenants that have one. */
export interface Mirrors extends AsyncDisposable {
  readonly all: readonly TenantMirror[]
  find(tenant: Tenant): TenantMirror | null
  /** Resolves when all of them have been compared with the store, or after `limitMs`. */
  compare(limitMs: number): Promise<void>
}

/** The share of the mirrors' memory for parsed products; the rest is for searches. */
const PRODUCT_SHARE = 0.5

/** Starts the mirrors. Their files are filled from the store, and reads ask the systems until then. */
export function startMirrors(parts: CatalogJobsParts): Mirrors {
  const { config, api, now, observability, startsMirrors } = parts
  const upstreams = config.merchants.flatMap(({ merchant }) =>
    modes.flatMap((mode) => api.upstreams.forTenant({ merchant, mode }) ?? []),
  )
  const mirrored = startsMirrors ? upstreams.filter(({ hasMirror }) => hasMirror) : []
  const stack = new AsyncDisposableStack()
  const cacheBytes = Math.max(1, Math.floor(api.mirrorCacheBytes / Math.max(1, mirrored.length)))
  const settings = Object.fromEntries(mirrored.map(({ tenant }) => toFolderSettings(config, tenant)))
  const threads = stack.use(createMirrorThreads({ cacheBytes: Math.ceil(cacheBytes * (1 - PRODUCT_SHARE)), settings }))
  const metrics = createMirrorMetrics(observability.metrics, { mirrors: () => all, now })
  const start = (upstream: TenantUpstream) =>
    startMirror(upstream, { ...parts, threads, metrics, cacheBytes: Math.ceil(cacheBytes * PRODUCT_SHARE) })
  const all = mirrored.map((upstream) => stack.use(start(upstream)))
  const byTenant = new Map(all.map((mirror) => [tenantKey(mirror.tenant), mirror]))
  for (const upstream of mirrored) {
    upstream.setMirror(byTenant.get(tenantKey(upstream.tenant))!)
    stack.defer(() => upstream.setMirror(null))
  }
  return {
    all,
    find: (tenant) => byTenant.get(tenantKey(tenant)) ?? null,
    async compare(limitMs) {
      await waitUpTo(limitMs, Promise.allSettled(all.map((mirror) => mirror.poll())))
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function toFolderSettings({ dataDirectory, merchants }: Config, tenant: Tenant) {
  const { mirror } = merchants.find(({ merchant }) => merchant === tenant.merchant)!
  return [toMirrorFolder(dataDirectory, tenant), mirror ?? {}] as const
}

const toTags = ({ skus, hasOtherReferences }: AppliedChanges): string[] =>
  hasOtherReferences ? [...skus, LISTS_TAG, REFERENCES_TAG] : [...skus, LISTS_TAG]

interface StartParts extends CatalogJobsParts {
  threads: MirrorThreads
  metrics: MirrorMetrics
  cacheBytes: number
}

function startMirror({ tenant, backOffice }: TenantUpstream, parts: StartParts): TenantMirror {
  const { config, db, api, threads, metrics, processId, cacheBytes, observability, now } = parts
  const { logger } = observability
  // A full disk fails twice a second.
  const logFailure = throttleLog(
    (err: unknown) => logger.error({ err, ...tenant }, 'the catalog mirror could not follow the store'),
    { now },
  )
  return startTenantMirror({
    db,
    tenant,
    dataDirectory: config.dataDirectory,
    threads: metrics.observeSearches(tenant, threads),
    follower: processId,
    cacheBytes,
    publicUrl: () => api.publicUrl,
    now,
    onApplied(_, changes) {
      const tags = changes === 'all' ? changes : toTags(changes)
      backOffice.invalidate(tags, true)
      const responses = api.responses.invalidations(tenantKey(tenant))
      if (tags === 'all') responses.invalidateAll()
      else responses.invalidate(tags)
    },
    onReplaced(reason, error) {
      metrics.countRebuild(tenant, reason)
      logger.warn({ ...tenant, reason, cause: error?.message }, 'the catalog mirror has another file')
    },
    onMissedEvents: (silentMs) =>
      logger.warn(
        { ...tenant, silent_ms: silentMs },
        'this process was silent: events were sent before its catalog mirror had their changes',
      ),
    onError: (error) => {
      // Damage is logged when the file is replaced, and the store's failures elsewhere.
      if (!isStoreUnavailable(error) && !(error instanceof MirrorDamageError)) logFailure(error)
    },
    onRecovered: logFailure.reset,
  })
}
