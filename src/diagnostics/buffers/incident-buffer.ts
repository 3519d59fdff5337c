import type { SectionTrace } from '../../sections/section-trace.ts'
import type { IncidentUpdate } from '../../storage/diagnostics/incident-updates.ts'
import {
  EVERY_MERCHANT,
  INCIDENT_QUIET_MS,
  type IncidentKey,
  type OpenIncident,
} from '../../storage/diagnostics/open-incidents.ts'
import type { StoreOutage } from '../../storage/store-monitor.ts'
import type { Tenant } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'
import type { FinishedRequest } from '../finished-request.ts'
import type { FailureEvidence, FailurePause } from '../status/failure-evidence.ts'
import { createTupleMap } from '../tuple-map.ts'
import { addDegradedResponse, createIncidentUpdate } from './add-degraded-response.ts'
import { iso } from './iso-time.ts'
import { mergeIncidentUpdates } from './merge-incident-updates.ts'
import { createRespondingSystems } from './responding-systems.ts'
import {
  createSectionHealth,
  hasSucceededSince,
  markDegraded,
  type SectionCalls,
  type SectionHealth,
  toSectionFailure,
} from './section-health.ts'

/** The health of sections as this process sees it: degraded responses that are not written yet, and when each section was last healthy. */
export interface IncidentBuffer {
  recordDegraded(tenant: Tenant, section: SectionTrace, request: FinishedRequest, at: number): void
  /** Records a response in which the section was healthy. */
  recordHealthy(tenant: Tenant, section: SectionTrace, request: FinishedRequest, at: number): void
  recordCall(tenant: Tenant, call: CallTrace, at: number): void
  /** Records a request that was refused because the store was unavailable, and why it was, if that is known. */
  recordStoreRefusal(request: FinishedRequest, at: number, reason?: string): void
  /** Records a request that was refused because its key has ended, or does not allow its origin. There are no more of them than keys. */
  recordKeyRefusal(tenant: Tenant, keyId: string, request: FinishedRequest, at: number): void
  /** Records whether the store is unavailable at this instant. Its incident needs no requests. */
  recordStoreState(outage: Pick<StoreOutage, 'beganAt' | 'reason'> | null, at: number): void
  take(): IncidentUpdate[]
  /** Takes back updates that could not be written. */
  restore(updates: readonly IncidentUpdate[]): void
  /** When the section of an incident was healthy after its last degraded response; `null` when this process does not know. */
  healthySince(incident: OpenIncident): number | null
  /**
   * Since when the system of an incident has responded to other calls; `null` when no process knows. It may lie before the last degraded
   * response, which then has disproved it.
   */
  respondingSince(incident: OpenIncident): number | null
  /**
   * The first and the last response of the system of an incident after its last degraded response, before the system failed again: what is
   * degraded since then is another outage. `null` when this process does not know of that.
   */
  respondedBefore(incident: OpenIncident): FailurePause | null
  /** What this process sees failing at that instant. */
  failures(now: number): FailureEvidence
}

/** A system that fails does so for other sections at about the same time. */
const SAME_FAILURE_MS = 60_000

/** The store belongs to no merchant and no system. */
const STORE_TENANT: Tenant = { merchant: EVERY_MERCHANT, mode: 'live' }
const STORE_SECTION = { name: 'store', system: null, code: 'store_unavailable', outcome: 'unavailable' } as const

export function createIncidentBuffer(): IncidentBuffer {
  const sections = createTupleMap<SectionHealth>()
  /** When each operation of a system last succeeded. */
  const successes = createTupleMap<Map<string, number>>()
  const respondingSystems = createRespondingSystems()

  const getSection = ({ merchant, mode }: Tenant, { system, name }: Pick<SectionTrace, 'system' | 'name'>) =>
    sections.getOrCreate([merchant, mode, system ?? '', name], () =>
      createSectionHealth({ tenant_id: merchant, mode, system: system ?? '', section: name }),
    )

  /** What is known of the calls that a section needs. */
  function readSectionCalls({ key, failingOperations }: SectionHealth): SectionCalls {
    const { tenant_id: merchant, mode, system } = key
    return {
      successes: successes.get([merchant, mode, system]),
      failedAt: respondingSystems.failedAt({ merchant, mode }, system, failingOperations),
    }
  }

  type RefusedSection = Pick<SectionTrace, 'name' | 'system' | 'code' | 'outcome' | 'kind'>
  function recordRefusal(tenant: Tenant, section: RefusedSection, request: FinishedRequest, at: number): void {
    const health = getSection(tenant, section)
    health.degradedAt = at
    health.update ??= createIncidentUpdate(health.key, at)
    addDegradedResponse(health.update, section, request, at)
  }

  return {
    recordDegraded(tenant, section, request, at) {
      const health = getSection(tenant, section)
      if (health.healthyAt > health.degradedAt && at - health.degradedAt >= INCIDENT_QUIET_MS)
        health.failingOperations.clear()
      markDegraded(health, readSectionCalls(health), at)
      for (const { system, outcome, operation } of request.calls ?? []) {
        if (system !== section.system) continue
        health.operations.add(operation)
        if (outcome !== 'ok') health.failingOperations.add(operation)
      }
      health.update ??= createIncidentUpdate(health.key, at)
      addDegradedResponse(health.update, section, request, at)
    },
    recordHealthy(tenant, section, request, at) {
      const health = getSection(tenant, section)
      health.healthyAt = at
      if (section.mirrored) health.mirroredAt = at
      for (const { system, operation } of request.calls ?? [])
        if (system === section.system) health.operations.add(operation)
    },
    recordCall(tenant, call, at) {
      const { system, outcome, operation } = call
      respondingSystems.recordCall(tenant, call, at)
      if (outcome === 'ok')
        successes
          .getOrCreate([tenant.merchant, tenant.mode, system], () => new Map<string, number>())
          .set(operation, at)
    },
    recordStoreRefusal: (request, at, kind) =>
      recordRefusal(STORE_TENANT, kind === undefined ? STORE_SECTION : { ...STORE_SECTION, kind }, request, at),
    recordKeyRefusal: (tenant, keyId, request, at) =>
      recordRefusal(
        tenant,
        { name: keyId, system: null, code: request.code ?? null, outcome: 'rejected' },
        request,
        at,
      ),
    recordStoreState(outage, at) {
      const health = getSection(STORE_TENANT, STORE_SECTION)
      if (outage) {
        health.degradedAt = at
        health.update ??= createIncidentUpdate(health.key, outage.beganAt)
        health.update.causes[outage.reason] ??= 0
        const beganAt = iso(outage.beganAt)
        if (beganAt < health.update.first_at) health.update.first_at = beganAt
        health.update.last_at = iso(at)
      } else if (health.healthyAt <= health.degradedAt) health.healthyAt = at
    },
    take() {
      const taken: IncidentUpdate[] = []
      for (const health of sections.values()) {
        if (health.update) taken.push(health.update)
        health.update = null
      }
      return taken
    },
    restore(updates) {
      for (const update of updates) {
        const health = sections.get(toTuple(update))!
        health.update = health.update ? mergeIncidentUpdates(update, health.update) : update
      }
    },
    healthySince(incident) {
      const health = sections.get(toTuple(incident))
      const degradedAt = Date.parse(incident.last_at)
      if (!health || health.healthyAt <= degradedAt) return null
      // A healthy section may come from the cache: its system must have succeeded as well.
      const { successes: succeededAt } = readSectionCalls(health)
      if (incident.system === '' || hasSucceededSince(health, succeededAt, degradedAt)) return health.healthyAt
      // A mirror is filled by calls in the background, of any process. While the system fails, it has current values for a while.
      const respondingAt = Date.parse(incident.responding_since ?? '')
      const isFilled = health.failingOperations.size === 0 && respondingAt > degradedAt
      return isFilled && health.mirroredAt > respondingAt ? health.mirroredAt : null
    },
    respondingSince(incident) {
      const { tenant_id, mode, system, last_at, responding_since = null } = incident
      if (system === '') return null
      const tenant = { merchant: tenant_id, mode }
      const [lastAt, known] = [Date.parse(last_at), responding_since === null ? null : Date.parse(responding_since)]
      // A section that fails while its system responds to other calls: these show nothing, until they fail as well.
      const failing = sections.get(toTuple(incident))?.failingOperations ?? new Set<string>()
      const isDisproved = known !== null && known <= lastAt
      if (isDisproved && !respondingSystems.hasOthersFailed(tenant, system, failing, known)) return known
      return respondingSystems.respondingSince(tenant, system, failing, lastAt, known)
    },
    respondedBefore(incident) {
      const { tenant_id, mode, system, began_at, last_at } = incident
      // Of a section that fails alone, the other calls of its system say nothing. A process that did not see it fail cannot tell.
      const failing = sections.get(toTuple(incident))?.failingOperations
      if (!failing?.size) return null
      const after = Date.parse(began_at) - SAME_FAILURE_MS
      const responded = respondingSystems.respondedBefore({ merchant: tenant_id, mode }, system, failing, after)
      if (responded === null) return null
      // Responses are degraded without a call until trials end a pause.
      const from = [responded.from, responded.to].find((at) => at > Date.parse(last_at))
      return from === undefined ? null : { from, to: responded.to }
    },
    failures: (now) => ({
      sections: sections.values().flatMap((health) => toSectionFailure(health, readSectionCalls(health), now) ?? []),
      systems: respondingSystems.failures(now),
    }),
  }
}

const toTuple = ({ tenant_id, mode, system, section }: IncidentKey) => [tenant_id, mode, system, section]
