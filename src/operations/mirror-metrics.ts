import { catalogPartNames } from '../catalog/mirror/file/catalog-part-names.ts'
import type { MirrorThreads } from '../catalog/mirror/threads/mirror-threads.ts'
import type { MirrorReplacement } from '../changes/mirror/current-mirror.ts'
import type { TenantMirror } from '../changes/mirror/tenant-mirror.ts'
import type { Tenant } from '../tenant.ts'
import type { Metrics } from './metrics.ts'

export interface MirrorMetricsSources {
  mirrors(): readonly TenantMirror[]
  now: () => number
}

export interface MirrorMetrics {
  /** Returns the threads, with each search of the tenant counted and timed. */
  observeSearches(tenant: Tenant, threads: MirrorThreads): MirrorThreads
  countRebuild(tenant: Tenant, reason: MirrorReplacement): void
}

/** All workers of a server read the same files. */
const SHARED = { isShared: true }
const LABELS = ['merchant', 'mode'] as const
const REASONS: readonly MirrorReplacement[] = ['damaged', 'rebuilt']
const SEARCH_BOUNDS_MS = [0.5, 1, 2, 5, 10, 20, 50, 100, 250, 500, 1_000]

/** Registers the metrics of this machine's mirrors. Processes of one machine share the files: take the maximum, not the sum. */
export function createMirrorMetrics(metrics: Metrics, { mirrors, now }: MirrorMetricsSources): MirrorMetrics {
  const perMirror = (name: string, help: string, read: (mirror: TenantMirror) => number) =>
    metrics.gauges(
      name,
      help,
      LABELS,
      () => mirrors().map((mirror) => ({ labels: { ...mirror.tenant }, value: read(mirror) })),
      SHARED,
    )
  perMirror('forecourt_mirror_rows', 'SKUs in the mirror, including withdrawn ones', (mirror) => mirror.status().rows)
  perMirror(
    'forecourt_mirror_file_bytes',
    'Size of the file of the mirror, in bytes',
    (mirror) => mirror.status().bytes,
  )
  perMirror(
    'forecourt_mirror_lag_seconds',
    'Age of the oldest change that the store has and the mirror lacks, in seconds',
    (mirror) => mirror.status().lagMs / 1_000,
  )
  metrics.gauges(
    'forecourt_mirror_age_seconds',
    'Seconds since a part of the mirror was equal to its system. Parts that are being filled are left out',
    [...LABELS, 'part'],
    () =>
      mirrors().flatMap((mirror) =>
        catalogPartNames.flatMap((part) => {
          const { isFilled, asOf } = mirror.partState(part)
          const value = Math.max(0, now() - asOf) / 1_000
          return isFilled ? [{ labels: { ...mirror.tenant, part }, value }] : []
        }),
      ),
    SHARED,
  )
  const countSearch = metrics.counters('forecourt_mirror_searches_total', 'Searches of the mirror, by outcome', [
    ...LABELS,
    'outcome',
  ])
  const durations = metrics.durations({
    name: 'forecourt_mirror_search_seconds',
    help: 'Durations of searches of the mirror, with their wait for the thread',
    labels: LABELS,
    boundsMs: SEARCH_BOUNDS_MS,
  })
  const countRebuild = metrics.counters(
    'forecourt_mirror_rebuilds_total',
    'Mirror files that were replaced, by reason',
    [...LABELS, 'reason'],
  )
  return {
    countRebuild: (tenant, reason) => countRebuild({ ...tenant, reason }),
    observeSearches(tenant, threads) {
      // An alert on the rise of a series would miss the event that creates it.
      for (const reason of REASONS) countRebuild({ ...tenant, reason }, 0)
      return {
        ...threads,
        async search(path, request, signal) {
          const startedAt = performance.now()
          let outcome = 'failed'
          try {
            const page = await threads.search(path, request, signal)
            outcome = page.total === 0 ? 'empty' : page.corrected === null ? 'found' : 'corrected'
            return page
          } finally {
            if (signal?.aborted) outcome = 'aborted'
            countSearch({ ...tenant, outcome })
            durations(tenant.merchant, tenant.mode).record(performance.now() - startedAt)
          }
        },
      }
    },
  }
}
