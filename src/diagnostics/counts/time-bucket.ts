import type { SectionTrace } from '../../sections/section-trace.ts'
import type { Mode, Tenant } from '../../tenant.ts'
import type { FinishedRequest } from '../finished-request.ts'
import { getOrCreate } from '../get-or-create.ts'
import { isSectionDegraded } from '../is-section-degraded.ts'
import type { SectionImpact } from '../status/process-state.ts'
import { addTally, countInTally, emptyTally, type Tally } from './tally.ts'

export const TIME_BUCKET_MS = 5_000

/** The counts of a few seconds. A bucket lies within one minute, and within one day. */
export interface TimeBucket {
  /** Milliseconds since the epoch. */
  startsAt: number
  /** Keyed by merchant, then mode. */
  tenants: Map<string, { [M in Mode]?: TenantBucket }>
  keys: Map<string, KeyTally>
}

export interface TenantBucket extends Tenant {
  answers: Tally
  /** Keyed by system ('': no system), then section ('': the calls to the system). */
  sections: Map<string, Map<string, Tally>>
  /** Keyed by route; a few each. */
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

export function getTenantBucket(bucket: TimeBucket, { merchant, mode }: Tenant): TenantBucket {
  const byMode = getOrCreate(bucket.tenants, merchant, (): { [M in Mode]?: TenantBucket } => ({}))
  byMode[mode] ??= { merchant, mode, answers: emptyTally(), sections: new Map(), impacts: new Map() }
  return byMode[mode]
}

export function getSectionTally(bucket: TenantBucket, system: string, section: string): Tally {
  return getOrCreate(
    getOrCreate(bucket.sections, system, () => new Map<string, Tally>()),
    section,
    emptyTally,
  )
}

/** Counts the sections of a response, each name of a system once. Returns the degraded ones; none where a failure was simulated. */
export function countSections(bucket: TenantBucket, request: FinishedRequest, isSimulated: boolean): SectionTrace[] {
  const { sections = [], status } = request
  const degraded: SectionTrace[] = []
  for (const [position, section] of sections.entries()) {
    const isRepeated = position > 0 && sections.findIndex((other) => isSameSection(other, section)) < position
    const tally = getSectionTally(bucket, section.system ?? '', section.name)
    if (!isRepeated) countInTally(tally, section.ms)
    if (isSimulated || !isSectionDegraded(status, section)) continue
    if (isRepeated && degraded.some((other) => isSameSection(other, section))) continue
    degraded.push(section)
    tally.degraded += 1
    if (isStale(section)) tally.stale += 1
    countImpact(bucket, request, section)
  }
  if (degraded.length > 0) {
    bucket.answers.degraded += 1
    if (degraded.every(isStale)) bucket.answers.stale += 1
  } else if (request.code === 'store_unavailable') bucket.answers.degraded += 1
  return degraded
}

/** Counts a healthy section that is not listed in the response's sections. */
export const countHealthySection = (bucket: TenantBucket, { system, name, ms }: SectionTrace) =>
  countInTally(getSectionTally(bucket, system ?? '', name), ms)

const isSameSection = (a: SectionTrace, b: SectionTrace) => a.name === b.name && a.system === b.system
const isStale = ({ staleAsOf }: SectionTrace) => staleAsOf !== null

function countImpact(bucket: TenantBucket, { route, status }: FinishedRequest, section: SectionTrace): void {
  const { name, system, staleAsOf } = section
  const impact = getImpact(bucket, { route, section: name, system: system ?? '' })
  if (status >= 500) impact.refused += 1
  else if (staleAsOf === null) impact.missing += 1
  else {
    impact.stale += 1
    impact.oldestAsOf = Math.min(impact.oldestAsOf ?? staleAsOf, staleAsOf)
  }
}

type ImpactKey = Pick<SectionImpact, 'route' | 'section' | 'system'>

/** Comparing with a few impacts costs less than building a key from the names. */
function getImpact(bucket: TenantBucket, { route, section, system }: ImpactKey): SectionImpact {
  const impacts = getOrCreate(bucket.impacts, route, (): SectionImpact[] => [])
  for (const impact of impacts) if (impact.section === section && impact.system === system) return impact
  const created = { route, section, system, refused: 0, missing: 0, stale: 0, oldestAsOf: null }
  impacts.push(created)
  return created
}

export function addTimeBucket(sum: TimeBucket, bucket: TimeBucket): void {
  for (const byMode of bucket.tenants.values()) {
    for (const tenantBucket of Object.values(byMode)) addTenantBucket(getTenantBucket(sum, tenantBucket), tenantBucket)
  }
}

function addTenantBucket(sum: TenantBucket, bucket: TenantBucket): void {
  addTally(sum.answers, bucket.answers)
  for (const [system, sections] of bucket.sections) {
    for (const [section, tally] of sections) addTally(getSectionTally(sum, system, section), tally)
  }
  for (const impact of [...bucket.impacts.values()].flat()) {
    const summedImpact = getImpact(sum, impact)
    Object.assign(summedImpact, mergeSectionImpact(summedImpact, impact))
  }
}

export function mergeSectionImpact(sum: SectionImpact | undefined, impact: SectionImpact): SectionImpact {
  if (!sum) return { ...impact }
  const asOfTimes = [sum.oldestAsOf, impact.oldestAsOf].filter((at) => at !== null)
  return {
    ...impact,
    refused: sum.refused + impact.refused,
    missing: sum.missing + impact.missing,
    stale: sum.stale + impact.stale,
    oldestAsOf: asOfTimes.length > 0 ? Math.min(...asOfTimes) : null,
  }
}
