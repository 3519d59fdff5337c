import type { Mode } from '../../config/config.ts'
import type { SectionTrace } from '../../sections/section.ts'
import { isDegraded } from '../outcome-rules.ts'
import type { Outcome } from '../request-outcome.ts'
import type { ShownState } from '../status/process-state.ts'
import { addTally, count, made, noTally, type Tally } from './tally.ts'

export const SLOT_MS = 5_000

/** What was counted in a few seconds. A slot lies within one minute, and within one day. */
export interface Slot {
  /** Milliseconds since the epoch. */
  startsAt: number
  /** By merchant. */
  owners: Map<string, { [M in Mode]?: OwnerSlot }>
  keys: Map<string, KeyTally>
}

export interface OwnerSlot {
  tenant: string
  mode: Mode
  answers: Tally
  /** By system (empty: of none) and section; section '': its calls. */
  parts: Map<string, Map<string, Tally>>
  /** By route: a few each. */
  shown: Map<string, ShownState[]>
}

export interface KeyTally {
  requests: number
  refused: number
  limited: number
  lastCode: string | null
  lastAt: number | null
}

export const noKeyTally = (): KeyTally => ({ requests: 0, refused: 0, limited: 0, lastCode: null, lastAt: null })

export const slotAt = (at: number): Slot => ({
  startsAt: at - (at % SLOT_MS),
  owners: new Map(),
  keys: new Map(),
})

export function ownerIn(slot: Slot, tenant: string, mode: Mode): OwnerSlot {
  const modes = made(slot.owners, tenant, (): { [M in Mode]?: OwnerSlot } => ({}))
  modes[mode] ??= { tenant, mode, answers: noTally(), parts: new Map(), shown: new Map() }
  return modes[mode]
}

export function partIn(owner: OwnerSlot, system: string, section: string): Tally {
  return made(
    made(owner.parts, system, () => new Map<string, Tally>()),
    section,
    noTally,
  )
}

/** Counts the sections of an answer, each name of a system once. Gives those that were degraded; none where failures were asked for. */
export function countSections(owner: OwnerSlot, outcome: Outcome, simulated: boolean): SectionTrace[] {
  const { sections = [], status } = outcome
  const degraded: SectionTrace[] = []
  for (const [at, section] of sections.entries()) {
    const again = at > 0 && sections.findIndex((other) => isSame(other, section)) < at
    const tally = partIn(owner, section.system ?? '', section.name)
    if (!again) count(tally, section.ms)
    if (simulated || !isDegraded(status, section)) continue
    if (again && degraded.some((other) => isSame(other, section))) continue
    degraded.push(section)
    tally.degraded += 1
    if (isStale(section)) tally.stale += 1
    show(owner, outcome, section)
  }
  if (degraded.length > 0) {
    owner.answers.degraded += 1
    if (degraded.every(isStale)) owner.answers.stale += 1
  }
  return degraded
}

/** Of what no section of the answer tells. */
export const countWell = (owner: OwnerSlot, { system, name, ms }: SectionTrace) =>
  count(partIn(owner, system ?? '', name), ms)

const isSame = (one: SectionTrace, other: SectionTrace) => one.name === other.name && one.system === other.system
const isStale = ({ staleAsOf }: SectionTrace) => staleAsOf !== null

function show(owner: OwnerSlot, { route, status }: Outcome, { name, system, staleAsOf }: SectionTrace): void {
  const shown = shownIn(owner, { route, section: name, system: system ?? '' })
  if (status >= 500) shown.refused += 1
  else if (staleAsOf === null) shown.missing += 1
  else {
    shown.stale += 1
    shown.oldestAsOf = Math.min(shown.oldestAsOf ?? staleAsOf, staleAsOf)
  }
}

type ShownOf = Pick<ShownState, 'route' | 'section' | 'system'>

/** Looking through a few costs less than making one text of the names, to look that up. */
function shownIn(owner: OwnerSlot, { route, section, system }: ShownOf): ShownState {
  const all = made(owner.shown, route, (): ShownState[] => [])
  for (const one of all) if (one.section === section && one.system === system) return one
  const fresh = { route, section, system, refused: 0, missing: 0, stale: 0, oldestAsOf: null }
  all.push(fresh)
  return fresh
}

export function addSlot(to: Slot, more: Slot): void {
  for (const [tenant, modes] of more.owners) {
    for (const owner of Object.values(modes)) addOwner(ownerIn(to, tenant, owner.mode), owner)
  }
}

function addOwner(to: OwnerSlot, more: OwnerSlot): void {
  addTally(to.answers, more.answers)
  for (const [system, sections] of more.parts) {
    for (const [section, tally] of sections) addTally(partIn(to, system, section), tally)
  }
  for (const one of [...more.shown.values()].flat()) {
    const shown = shownIn(to, one)
    Object.assign(shown, addShown(shown, one))
  }
}

export function addShown(before: ShownState | undefined, more: ShownState): ShownState {
  if (!before) return { ...more }
  const oldest = [before.oldestAsOf, more.oldestAsOf].filter((at) => at !== null)
  return {
    ...more,
    refused: before.refused + more.refused,
    missing: before.missing + more.missing,
    stale: before.stale + more.stale,
    oldestAsOf: oldest.length > 0 ? Math.min(...oldest) : null,
  }
}
