import { startPoller } from '../../lifecycle/poller.ts'
import { BACKGROUND_STOP_TIMEOUT_MS, waitUpTo } from '../../lifecycle/wait-up-to.ts'
import type { System } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { Lease } from '../../storage/leases.ts'
import { type Tenant, tenantKey } from '../../tenant.ts'
import type { BackOffice } from '../../upstream/back-office.ts'
import type { BackInStockListener, CatalogChangeListener } from '../feed/catalog-change-listener.ts'
import { createCatalogPartTracker } from '../feed/catalog-part-tracker.ts'
import type { ChangeJobContext } from '../feed/change-job.ts'
import { createChangeJobs } from './create-change-jobs.ts'
import { createFeedLeases } from './feed-leases.ts'
import { createFeedRequestScopes } from './feed-request-scopes.ts'
import { toWakeupName } from './feed-wakeup.ts'
import { createScheduledJob, type ScheduledJob } from './scheduled-job.ts'
import { createSystemRecovery } from './system-recovery.ts'

/** A tenant with its systems. */
export interface FeedTenant extends Tenant {
  backOffice: Pick<BackOffice, 'changes' | 'today'>
  /** The merchant has a catalog mirror (the default). */
  hasMirror?: boolean
  /** Replaces the delay of all tenants. */
  catalogDelayMs?: number
}

export interface FeedSchedulerParts {
  db: Database
  now: () => number
  upstreams: readonly FeedTenant[]
  /** Identifies this process among those that share the store. */
  holder: string
  /** The interval at which each source is read; `null`: no timer, rounds run when called. */
  intervalMs: number | null
  onChanged: CatalogChangeListener
  onBackInStock?: BackInStockListener
  onError(error: unknown): void
  /** Delays catalog events until other processes have dropped their cached copies. 0 if there are none. */
  catalogDelayMs?: number
  random?: () => number
}

/** Reads the change feeds of all tenants and publishes the changes. One process at a time serves each tenant. */
export interface FeedScheduler extends AsyncDisposable {
  /** Runs one round: takes free leases, runs all jobs that do not wait for a failing system, and resolves when they are done. */
  tick(): Promise<void>
}

/** The interval at which leases and wake-ups are read. */
const LEASE_POLL_MS = 500
/** The minimum time between two runs that wake-ups cause, for each tenant. */
const WAKEUP_INTERVAL_MS = 1_000

const MAX_SLOW_INTERVAL_MS = 20_000

const toSlowIntervalMs = (intervalMs: number) => Math.max(intervalMs, Math.min(MAX_SLOW_INTERVAL_MS, 4 * intervalMs))

export function createFeedScheduler(parts: FeedSchedulerParts): FeedScheduler {
  const { db, now, holder, intervalMs } = parts
  const random = parts.random ?? Math.random
  const leases = createFeedLeases({ db, now, holder, names: parts.upstreams.map(tenantKey) })
  const requestScopes = createFeedRequestScopes(now)
  let isStopped = false

  const onError = (error: unknown) => {
    if (!isStopped) parts.onError(error)
  }
  const feeds = parts.upstreams.map(createFeed)
  const poller = startPoller({ round: runDueJobs, intervalMs: intervalMs === null ? null : LEASE_POLL_MS, onError })

  function createFeed(feedTenant: FeedTenant) {
    const { merchant, mode, backOffice, hasMirror = true } = feedTenant
    const catalogDelayMs = feedTenant.catalogDelayMs ?? parts.catalogDelayMs ?? 0
    const tenant = { merchant, mode }
    const name = tenantKey(tenant)
    const { reportsStock, reportsPrices } = backOffice.changes
    const offers = { stock: reportsStock, prices: reportsPrices }
    const context: ChangeJobContext = {
      hasMirror,
      parts: createCatalogPartTracker({ db, tenant, now, offers, hasMirror }),
      db,
      now,
      name,
      backOffice,
      tenant,
      catalogDelayMs,
      slowIntervalMs: toSlowIntervalMs(intervalMs ?? 0),
      onChanged: parts.onChanged,
      onBackInStock: parts.onBackInStock,
      onError,
      canContinue: () => !isStopped && leases.holds(name),
      requestScope: () => requestScopes.create(name),
    }
    const jobs = createChangeJobs(context).map((job) => createScheduledJob({ job, now, intervalMs, random, onError }))
    // A job that reads only the store always succeeds.
    const bySystem = Map.groupBy(
      jobs.filter((job) => job.system !== null),
      (job) => job.system,
    )
    const recoveries = [...bySystem.values()].map((some) => createSystemRecovery(some, now))
    const knownWakeups = new Map<System, string | null>()
    return { tenant, isActive: context.canContinue, jobs, recoveries, wokenAtMs: 0, knownWakeups }
  }

  async function runDueJobs(): Promise<void> {
    await refreshLeases()
    for (const feed of feeds) {
      if (!feed.isActive()) continue
      const mayWake = now() - feed.wokenAtMs >= WAKEUP_INTERVAL_MS
      const wokenJobs = feed.jobs.filter((job) => mayWake && job.isWoken)
      if (wokenJobs.length > 0) feed.wokenAtMs = now()
      const early = new Set([...wokenJobs, ...feed.recoveries.flatMap((recovery) => recovery.listDue())])
      const due = new Set(feed.jobs.filter((job) => job.isDue() || early.has(job)))
      // Feeds start together, so that an adapter can answer several of them by one call.
      const joinsFeeds = [...due].some((job) => job.isDueSoon)
      for (const job of feed.jobs) if (due.has(job) || (joinsFeeds && job.isDueSoon)) void job.start()
    }
  }

  async function refreshLeases(): Promise<void> {
    const wakeups = await leases.refresh()
    for (const feed of feeds) wakeJobs(feed, wakeups)
  }

  function wakeJobs(
    feed: { tenant: Tenant; knownWakeups: Map<System, string | null>; jobs: readonly ScheduledJob[] },
    wakeups: ReadonlyMap<string, Lease>,
  ): void {
    const { tenant, knownWakeups, jobs } = feed
    for (const system of new Set(jobs.flatMap((job) => job.system ?? []))) {
      const at = wakeups.get(toWakeupName(tenant, system))?.woken_at ?? null
      const isNew = knownWakeups.has(system) && knownWakeups.get(system) !== at
      knownWakeups.set(system, at)
      if (isNew) for (const job of jobs) if (job.system === system) job.wake()
    }
  }

  const runningJobs = () => feeds.flatMap(({ jobs }) => jobs.flatMap(({ running }) => running ?? []))

  return {
    async tick() {
      await refreshLeases()
      const activeFeeds = feeds.filter(({ isActive }) => isActive())
      const dueJobs = activeFeeds.flatMap(({ jobs, recoveries }) => {
        const early = new Set(recoveries.flatMap((recovery) => recovery.listDue()))
        return jobs.filter((job) => job.isDue(true) || job.running || early.has(job))
      })
      await Promise.all(dueJobs.map((job) => job.start()))
    },
    async [Symbol.asyncDispose]() {
      isStopped = true
      requestScopes.leaveAll()
      const ended = poller[Symbol.asyncDispose]().then(() => Promise.allSettled(runningJobs()))
      await waitUpTo(BACKGROUND_STOP_TIMEOUT_MS, ended)
      await leases.release().catch(() => {})
    },
  }
}
