import type { Mode } from '../../config/config.ts'
import { addTally, emptyTally, getOrCreate, type Tally } from '../counts/tally.ts'
import type { KeyTally, TenantBucket, TimeBucket } from '../counts/time-bucket.ts'
import { emptyKeyTally } from '../counts/time-bucket.ts'

export type TimelineStep = 'minute' | 'hour'
export const timelineStepMs: Record<TimelineStep, number> = { minute: 60_000, hour: 3_600_000 }

/** To be added to one row of the timeline. */
export interface TimelineRollup extends Tally {
  tenant: string
  mode: Mode
  system: string
  section: string
  step: TimelineStep
  /** Where the step begins. */
  at: number
}

/** To be added to one row of key_days. */
export interface KeyDayRollup extends KeyTally {
  keyId: string
  /** YYYY-MM-DD. */
  day: string
}

/** What was counted and is not written yet. */
export interface RollupBuffer {
  add(slot: TimeBucket): void
  /** Takes all of them out, to be written. */
  takeSteps(): TimelineRollup[]
  takeDays(): KeyDayRollup[]
  /** Those that could not be written. */
  restore(rows: readonly (TimelineRollup | KeyDayRollup)[]): void
}

/** While the store is away, so many steps are kept for it, the newest; and so many keys' days. */
const MOST_STEPS: Record<TimelineStep, number> = { minute: 120, hour: 48 }
const MOST_DAYS = 20_000

type Rows = Map<number, Map<string, TimelineRollup>>

export function createRollupBuffer(): RollupBuffer {
  const steps: Record<TimelineStep, Rows> = { minute: new Map(), hour: new Map() }
  const days = new Map<string, KeyDayRollup>()

  function addStep({ tenant, mode, system, section, step, at }: Omit<TimelineRollup, keyof Tally>, tally: Tally): void {
    const rows = getOrCreate(steps[step], at, () => new Map<string, TimelineRollup>())
    const empty = () => ({ tenant, mode, system, section, step, at, ...emptyTally() })
    addTally(getOrCreate(rows, `${tenant}\n${mode}\n${system}\n${section}`, empty), tally)
  }

  function addOwner(
    step: TimelineStep,
    slotAt: number,
    { tenant, mode, answers, sections: parts }: TenantBucket,
  ): void {
    const of = { tenant, mode, step, at: slotAt - (slotAt % timelineStepMs[step]) }
    addStep({ ...of, system: '', section: '' }, answers)
    for (const [system, sections] of parts)
      for (const [section, tally] of sections) addStep({ ...of, system, section }, tally)
  }

  function addDay(keyId: string, day: string, tally: KeyTally): void {
    const key = `${day} ${keyId}`
    if (!days.has(key) && days.size >= MOST_DAYS) return
    addKeyTally(
      getOrCreate(days, key, () => ({ keyId, day, ...emptyKeyTally() })),
      tally,
    )
  }

  function forgetOldest(step: TimelineStep): void {
    const kept = steps[step]
    while (kept.size > MOST_STEPS[step]) kept.delete(Math.min(...kept.keys()))
  }

  return {
    add({ startsAt, tenants: owners, keys }) {
      for (const modes of owners.values()) {
        for (const owner of Object.values(modes)) {
          addOwner('minute', startsAt, owner)
          addOwner('hour', startsAt, owner)
        }
      }
      forgetOldest('minute')
      forgetOldest('hour')
      const day = new Date(startsAt).toISOString().slice(0, 10)
      for (const [keyId, tally] of keys) addDay(keyId, day, tally)
    },
    takeSteps() {
      const taken = [steps.minute, steps.hour].flatMap((of) => [...of.values()].flatMap((rows) => [...rows.values()]))
      steps.minute.clear()
      steps.hour.clear()
      return taken
    },
    takeDays() {
      const taken = [...days.values()]
      days.clear()
      return taken
    },
    restore(rows) {
      for (const row of rows) {
        if ('day' in row) addDay(row.keyId, row.day, row)
        else addStep(row, row)
      }
      forgetOldest('minute')
      forgetOldest('hour')
    },
  }
}

/** The later refusal is the last one. */
function addKeyTally(to: KeyTally, more: KeyTally): void {
  to.requests += more.requests
  to.refused += more.refused
  to.limited += more.limited
  if (more.lastAt === null || more.lastAt < (to.lastAt ?? 0)) return
  to.lastAt = more.lastAt
  to.lastCode = more.lastCode
}
