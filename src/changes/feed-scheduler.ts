import type { Mode } from '../config/config.ts'
import type { System } from '../ports/system.ts'
import type { Database } from '../storage/database.ts'
import type { Lease } from '../storage/leases.ts'
import type { BackOffice } from '../upstream/back-office.ts'
import type { CatalogChangeListener, FeedContext, FeedJob } from './change-source.ts'
import { createFeedLeases } from './feed-leases.ts'
import { createFeedRequestScopes } from './feed-request-scopes.ts'
import { toWakeupName } from './feed-wakeup.ts'
import { createScheduledJob, type ScheduledJob } from './scheduled-job.ts'

/** A merchant's systems in one mode. */
export interface FeedTenant {
  merchant: string
  mode: Mode
  backOffice: Pick<BackOffice, 'changes' | 'today'>
}

export interface FeedSchedulerParts {
  db: Database
  now: () => number
  upstreams: readonly FeedTenant[]
  /** What there is to do for each of them. */
  jobsOf(place: FeedContext): FeedJob[]
  /** Names this process among those that share the store. */
  holder: string
  /** How often each source is asked; `null`: rounds are made by hand. */
  intervalMs: number | null
  onChanged: CatalogChangeListener
  onError(error: unknown): void
  /** How long the events of the catalog wait for other processes to drop their copies; 0 where there are none. */
  catalogDelayMs?: number
  random?: () => number
}

/** Follows what changes in the back offices, and tells of it. One process does so for each merchant and mode. */
export interface FeedScheduler extends AsyncDisposable {
  /** One round: takes what leases it can, asks every source that does not wait for a failing system, and ends when all are done. */
  tick(): Promise<void>
}

/** How often leases and hints are looked at. */
const BEAT_MS = 500
/** Between two rounds that hints ask for, of one merchant and mode. */
const EARLY_MS = 1_000
const PARTING_MS = 2_000

export function createFeedScheduler(parts: FeedSchedulerParts): FeedScheduler {
  const { db, now, holder, intervalMs } = parts
  const random = parts.random ?? Math.random
  const leases = createFeedLeases({ db, now, holder, names: parts.upstreams.map(nameOf) })
  const questions = createFeedRequestScopes(now)
  let stopped = false
  let beating: Promise<void> | undefined

  const onError = (error: unknown) => {
    if (!stopped) parts.onError(error)
  }
  const fed = parts.upstreams.map(createFed)
  const timer = intervalMs === null ? undefined : setInterval(() => void beat(), BEAT_MS)

  function createFed({ merchant, mode, backOffice }: FeedTenant) {
    const name = nameOf({ merchant, mode })
    const place: FeedContext = {
      ...{ db, now, name, backOffice, owner: { tenant_id: merchant, mode }, catalogDelayMs: parts.catalogDelayMs ?? 0 },
      ...{ onChanged: parts.onChanged, onError },
      holds: () => !stopped && leases.holds(name),
      requestScope: () => questions.ask(name),
    }
    const rounds = parts.jobsOf(place).map((job) => createScheduledJob({ job, now, intervalMs, random, onError }))
    return { name, holds: place.holds, rounds, earlyAt: 0, heard: new Map<System, string | null>() }
  }

  function beat(): Promise<void> {
    beating ??= beatOnce()
      .catch(onError)
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  async function beatOnce(): Promise<void> {
    if (stopped) return
    await look()
    for (const one of fed) {
      if (!one.holds()) continue
      const early = now() - one.earlyAt >= EARLY_MS
      const woken = one.rounds.filter((round) => early && round.isWoken)
      if (woken.length > 0) one.earlyAt = now()
      for (const round of one.rounds) if (round.isDue() || woken.includes(round)) void round.start()
    }
  }

  async function look(): Promise<void> {
    const beside = await leases.look()
    for (const one of fed) hearHints(one, beside)
  }

  function hearHints(
    { name, heard, rounds }: { name: string; heard: Map<System, string | null>; rounds: readonly ScheduledJob[] },
    beside: ReadonlyMap<string, Lease>,
  ): void {
    for (const system of new Set(rounds.map((round) => round.system))) {
      const at = beside.get(toWakeupName(name, system))?.woken_at ?? null
      const isNew = heard.has(system) && heard.get(system) !== at
      heard.set(system, at)
      if (isNew) for (const round of rounds) if (round.system === system) round.wake()
    }
  }

  const underWay = () => fed.flatMap(({ rounds }) => rounds.flatMap(({ running }) => running ?? []))

  return {
    async tick() {
      await look()
      const held = fed.filter(({ holds }) => holds())
      const due = held.flatMap(({ rounds }) => rounds.filter((round) => round.isDue(true) || round.running))
      await Promise.all(due.map((round) => round.start()))
    },
    async [Symbol.asyncDispose]() {
      stopped = true
      clearInterval(timer)
      questions.leave()
      const { promise: parted, resolve } = Promise.withResolvers<void>()
      const parting = setTimeout(resolve, PARTING_MS)
      const ended = Promise.allSettled([beating]).then(() => Promise.allSettled(underWay()))
      await Promise.race([parted, ended])
      clearTimeout(parting)
      await leases.release().catch(() => {})
    },
  }
}

const nameOf = ({ merchant, mode }: Pick<FeedTenant, 'merchant' | 'mode'>) => `${merchant}/${mode}`
