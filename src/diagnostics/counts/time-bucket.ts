import type { Mode } from '../../config/config.ts'
import type { SectionTrace } from '../../sections/section.ts'
import { isSectionDegraded } from '../outcome-rules.ts'
import type { RequestOutcome } from '../request-outcome.ts'
import type { SectionImpact } from '../status/process-state.ts'
import { addTally, countInTally, emptyTally, getOrCreate, type Tally } from './tally.ts'

export const TIME_BUCKET_MS = 5_000

/** What was counted in a few seconds. A slot lies within one minute, and within one day. */
export interface TimeBucket {
  /** Milliseconds since the epoch. */
  startsAt: number
  /** By merchant. */
  tenants: Map<string, { [M in Mode]?: TenantBucket }>
  keys: Map<string, KeyTally>
}

export interface TenantBucket {
  tenant: string
  mode: Mode
  answers: Tally
  /** By system (empty: of none) and section; section '': its calls. */
  sections: Map<string, Map<string, Tally>>
  /** By route: a few each. */
  impacts: Map<string, SectionImpact[]>
}

export interface KeyTally {
  requests: number
  refused: number
  limited: number
  lastCode: string | null
  lastAt: number | null
}

export const emptyKeyTally = (): KeyTally => ({ requests: 0, refused: 0, limited: 0, lastCode: null, lastAt: null })

export const createTimeBucket = (at: number): TimeBucket => ({
  startsAt: at - (at % TIME_BUCKET_MS),
  tenants: new Map(),
  keys: new Map(),
})

export function getTenantBucket(slot: TimeBucket, tenant: string, mode: Mode): TenantBucket {
  const modes = getOrCreate(slot.tenants, tenant, (): { [M in Mode]?: TenantBucket } => ({}))
  modes[mode] ??= { tenant, mode, answers: emptyTally(), sections: new Map(), impacts: new Map() }
  return modes[mode]
}

export function getSectionTally(owner: TenantBucket, system: string, section: string): Tally {
  return getOrCreate(
    getOrCreate(owner.sections, system, () => new Map<string, Tally>()),
    section,
    emptyTally,
  )
}

/** Counts the sections of an answer, each name of a system once. Gives those that were degraded; none where failures were asked for. */
export function countSections(owner: TenantBucket, outcome: RequestOutcome, simulated: boolean): SectionTrace[] {
  const { sections = [], status } = outcome
  const degraded: SectionTrace[] = []
  for (const [at, section] of sections.entries()) {
    const again = at > 0 && sections.findIndex((other) => isSame(other, section)) < at
    const tally = getSectionTally(owner, section.system ?? '', section.name)
    if (!again) countInTally(tally, section.ms)
    if (simulated || !isSectionDegraded(status, section)) continue
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
export const countHealthySection = (owner: TenantBucket, { system, name, ms }: SectionTrace) =>
  countInTally(getSectionTally(owner, system ?? '', name), ms)

const isSame = (one: SectionTrace, other: SectionTrace) => one.name === other.name && one.system === other.system
const isStale = ({ staleAsOf }: SectionTrace) => staleAsOf !== null

function show(owner: TenantBucket, { route, status }: RequestOutcome, { name, system, staleAsOf }: SectionTrace): void {
  const shown = shownIn(owner, { route, section: name, system: system ?? '' })
  if (status >= 500) shown.refused += 1
  else if (staleAsOf === null) shown.missing += 1
  else {
    shown.stale += 1
    shown.oldestAsOf = Math.min(shown.oldestAsOf ?? staleAsOf, staleAsOf)
  }
}

type ShownOf = Pick<SectionImpact, 'route' | 'section' | 'system'>

/** Looking through a few costs less than making one text of the names, to look that up. */
function shownIn(owner: TenantBucket, { route, section, system }: ShownOf): SectionImpact {
  const all = getOrCreate(owner.impacts, route, (): SectionImpact[] => [])
  for (const one of all) if (one.section === section && one.system === system) return one
  const fresh = { route, section, system, refused: 0, missing: 0, stale: 0, oldestAsOf: null }
  all.push(fresh)
  return fresh
}

export function addTimeBucket(to: TimeBucket, more: TimeBucket): void {
  for (const [tenant, modes] of more.tenants) {
    for (const owner of Object.values(modes)) addOwner(getTenantBucket(to, tenant, owner.mode), owner)
  }
}

function addOwner(to: TenantBucket, more: TenantBucket): void {
  addTally(to.answers, more.answers)
  for (const [system, sections] of more.sections) {
    for (const [section, tally] of sections) addTally(getSectionTally(to, system, section), tally)
  }
  for (const one of [...more.impacts.values()].flat()) {
    const shown = shownIn(to, one)
    Object.assign(shown, mergeSectionImpact(shown, one))
  }
}

export function mergeSectionImpact(before: SectionImpact | undefined, more: SectionImpact): SectionImpact {
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
