import type { Tenant } from '../../tenant.ts'
import { addTally, emptyTally, type Tally } from '../counts/tally.ts'
import { emptyKeyTally, type KeyTally, type TenantBucket, type TimeBucket } from '../counts/time-bucket.ts'
import { type TimelineStep, timelineStepMs } from '../counts/timeline-steps.ts'
import { getOrCreate } from '../get-or-create.ts'

/** Counts to add to one row of the timeline. */
export interface TimelineRollup extends Tenant, Tally {
  system: string
  section: string
  step: TimelineStep
  /** Start of the step. */
  at: number
}

/** Counts to add to one row of key_days. */
export interface KeyDayRollup extends KeyTally {
  keyId: string
  /** YYYY-MM-DD. */
  day: string
}

/** Counts that are not written yet. */
export interface RollupBuffer {
  add(bucket: TimeBucket): void
  takeSteps(): TimelineRollup[]
  takeDays(): KeyDayRollup[]
  /** Takes back rollups that could not be written. */
  restore(rollups: readonly (TimelineRollup | KeyDayRollup)[]): void
}

/** Steps in memory while the store is unreachable; the oldest are dropped. */
const MAX_STEPS: Record<TimelineStep, number> = { minute: 120, hour: 48 }
const MAX_KEY_DAYS = 20_000

type RollupsByStart = Map<number, Map<string, TimelineRollup>>

export function createRollupBuffer(): RollupBuffer {
  const steps: Record<TimelineStep, RollupsByStart> = { minute: new Map(), hour: new Map() }
  const keyDays = new Map<string, KeyDayRollup>()

  function addStep(rollup: Omit<TimelineRollup, keyof Tally>, tally: Tally): void {
    const { merchant, mode, system, section, step, at } = rollup
    const rollups = getOrCreate(steps[step], at, () => new Map<string, TimelineRollup>())
    const empty = () => ({ merchant, mode, system, section, step, at, ...emptyTally() })
    addTally(getOrCreate(rollups, [merchant, mode, system, section].join('\n'), empty), tally)
  }

  function addTenantBucket(step: TimelineStep, startsAt: number, bucket: TenantBucket): void {
    const { merchant, mode, answers, sections } = bucket
    const target = { merchant, mode, step, at: startsAt - (startsAt % timelineStepMs[step]) }
    addStep({ ...target, system: '', section: '' }, answers)
    for (const [system, bySection] of sections)
      for (const [section, tally] of bySection) addStep({ ...target, system, section }, tally)
  }

  function addKeyDay(keyId: string, day: string, tally: KeyTally): void {
    const key = `${day} ${keyId}`
    if (!keyDays.has(key) && keyDays.size >= MAX_KEY_DAYS) return
    addKeyTally(
      getOrCreate(keyDays, key, () => ({ keyId, day, ...emptyKeyTally() })),
      tally,
    )
  }

  function dropOldest(): void {
    for (const step of ['minute', 'hour'] as const)
      while (steps[step].size > MAX_STEPS[step]) steps[step].delete(Math.min(...steps[step].keys()))
  }

  return {
    add({ startsAt, tenants, keys }) {
      for (const byMode of tenants.values()) {
        for (const bucket of Object.values(byMode)) {
          addTenantBucket('minute', startsAt, bucket)
          addTenantBucket('hour', startsAt, bucket)
        }
      }
      dropOldest()
      const day = new Date(startsAt).toISOString().slice(0, 10)
      for (const [keyId, tally] of keys) addKeyDay(keyId, day, tally)
    },
    takeSteps() {
      const byStart = [...steps.minute.values(), ...steps.hour.values()]
      steps.minute.clear()
      steps.hour.clear()
      return byStart.flatMap((rollups) => [...rollups.values()])
    },
    takeDays() {
      const taken = [...keyDays.values()]
      keyDays.clear()
      return taken
    },
    restore(rollups) {
      for (const rollup of rollups) {
        if ('day' in rollup) addKeyDay(rollup.keyId, rollup.day, rollup)
        else addStep(rollup, rollup)
      }
      dropOldest()
    },
  }
}

/** The later refusal is the last one. */
function addKeyTally(sum: KeyTally, tally: KeyTally): void {
  sum.requests += tally.requests
  sum.refused += tally.refused
  sum.limited += tally.limited
  if (tally.lastAt === null || tally.lastAt < (sum.lastAt ?? 0)) return
  sum.lastAt = tally.lastAt
  sum.lastCode = tally.lastCode
}
