import type { Mode } from '../../config/config.ts'
import type { KeyTally, OwnerSlot, Slot } from '../counts/time-bucket.ts'
import { noKeyTally } from '../counts/time-bucket.ts'
import { addTally, made, noTally, type Tally } from '../counts/tally.ts'

export type Step = 'minute' | 'hour'
export const stepMs: Record<Step, number> = { minute: 60_000, hour: 3_600_000 }

/** To be added to one row of the timeline. */
export interface StepTally extends Tally {
  tenant: string
  mode: Mode
  system: string
  section: string
  step: Step
  /** Where the step begins. */
  at: number
}

/** To be added to one row of key_days. */
export interface DayTally extends KeyTally {
  keyId: string
  /** YYYY-MM-DD. */
  day: string
}

/** What was counted and is not written yet. */
export interface Pending {
  add(slot: Slot): void
  /** Takes all of them out, to be written. */
  takeSteps(): StepTally[]
  takeDays(): DayTally[]
  /** Those that could not be written. */
  giveBack(rows: readonly (StepTally | DayTally)[]): void
}

/** While the store is away, so many steps are kept for it, the newest; and so many keys' days. */
const MOST_STEPS: Record<Step, number> = { minute: 120, hour: 48 }
const MOST_DAYS = 20_000

type Rows = Map<number, Map<string, StepTally>>

export function createPending(): Pending {
  const steps: Record<Step, Rows> = { minute: new Map(), hour: new Map() }
  const days = new Map<string, DayTally>()

  function addStep({ tenant, mode, system, section, step, at }: Omit<StepTally, keyof Tally>, tally: Tally): void {
    const rows = made(steps[step], at, () => new Map<string, StepTally>())
    const empty = () => ({ tenant, mode, system, section, step, at, ...noTally() })
    addTally(made(rows, `${tenant}\n${mode}\n${system}\n${section}`, empty), tally)
  }

  function addOwner(step: Step, slotAt: number, { tenant, mode, answers, parts }: OwnerSlot): void {
    const of = { tenant, mode, step, at: slotAt - (slotAt % stepMs[step]) }
    addStep({ ...of, system: '', section: '' }, answers)
    for (const [system, sections] of parts)
      for (const [section, tally] of sections) addStep({ ...of, system, section }, tally)
  }

  function addDay(keyId: string, day: string, tally: KeyTally): void {
    const key = `${day} ${keyId}`
    if (!days.has(key) && days.size >= MOST_DAYS) return
    addKeyTally(
      made(days, key, () => ({ keyId, day, ...noKeyTally() })),
      tally,
    )
  }

  function forgetOldest(step: Step): void {
    const kept = steps[step]
    while (kept.size > MOST_STEPS[step]) kept.delete(Math.min(...kept.keys()))
  }

  return {
    add({ startsAt, owners, keys }) {
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
    giveBack(rows) {
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
