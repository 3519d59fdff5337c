import { INCIDENT_QUIET_MS } from '../../storage/diagnostics/open-incidents.ts'
import { tenantColumns } from '../../storage/tenant-columns.ts'
import type { Tenant } from '../../tenant.ts'
import type { CallTrace } from '../../upstream/request/call-trace.ts'
import { type FailurePause, findFailurePause, isRecentFailure, type SystemFailure } from '../status/failure-evidence.ts'
import { createTupleMap } from '../tuple-map.ts'

/** Which systems respond, and since when, as this process sees it: whatever the call was, and whether a request waited for it. */
export interface RespondingSystems {
  recordCall(tenant: Tenant, call: Pick<CallTrace, 'system' | 'operation' | 'outcome'>, at: number): void
  /**
   * Returns since when a system has responded to all calls after an instant; `null`: it has not, or nothing is known. `known` is what another
   * process, or this one earlier, found. `null` also while one of these operations fails although others succeed; without any, that is one of
   * all. Milliseconds since the epoch.
   */
  respondingSince(
    tenant: Tenant,
    system: string,
    operations: ReadonlySet<string>,
    after: number,
    known: number | null,
  ): number | null
  /**
   * Returns the first and the last response of a system before it failed again, if it responded at least twice, and five seconds or longer passed
   * between the first response and the failure; `null`: that was not seen, or only these operations have failed after an instant.
   */
  respondedBefore(tenant: Tenant, system: string, operations: ReadonlySet<string>, after: number): FailurePause | null
  /** Returns whether other operations than these failed after an instant, or calls were paused. */
  hasOthersFailed(tenant: Tenant, system: string, operations: ReadonlySet<string>, after: number): boolean
  /** Returns when one of these operations failed last, of those that have not responded since; 0: none. Milliseconds since the epoch. */
  failedAt(tenant: Tenant, system: string, operations: ReadonlySet<string>): number
  /** Returns the systems that this process sees failing at that instant. */
  failures(now: number): SystemFailure[]
}

interface SystemCalls {
  tenant: Tenant
  system: string
  /** The last failure and the last response of each operation. */
  failures: Map<string, number>
  responses: Map<string, number>
  /** Operations that have failed since others succeeded, and when they did last. */
  failingAlone: Map<string, number>
  pausedAt: number
  /** The first of the failures between which nothing responded, and the last failure. */
  failingSince: number
  failedAt: number
  /** The first and the last response since then; 0: none. */
  firstResponseAt: number
  lastResponseAt: number
  /** How many responses. */
  responseCount: number
  respondedBefore: FailurePause | null
  failurePause: FailurePause | undefined
}

type Outcome = CallTrace['outcome']
/** A system that rejects the content of a call works. */
const responded: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'rejected'])
const failed: ReadonlySet<Outcome> = new Set<Outcome>([
  ...(['timeout', 'unavailable', 'error', 'invalid', 'unauthorized', 'misconfigured', 'rate_limited'] as const),
])

export function createRespondingSystems(): RespondingSystems {
  /** Never deleted: there are no more of them than merchants times systems. */
  const calls = createTupleMap<SystemCalls>()
  return {
    recordCall({ merchant, mode }, { system, operation, outcome }, at) {
      const of = calls.getOrCreate([merchant, mode, system], () => createSystemCalls({ merchant, mode }, system))
      // A call that was not sent says nothing else of the system.
      if (outcome === 'circuit_open') of.pausedAt = at
      else if (failed.has(outcome)) {
        const { firstResponseAt, lastResponseAt, responseCount } = of
        if (responseCount > 1 && at - firstResponseAt >= INCIDENT_QUIET_MS)
          of.respondedBefore = { from: firstResponseAt, to: lastResponseAt }
        of.failurePause = findFailurePause(of.failurePause, of.failedAt, at)
        if (firstResponseAt > 0) of.failingAlone.set(operation, at)
        if (firstResponseAt > 0 || !isRecentFailure(of.failedAt, at)) of.failingSince = at
        Object.assign(of, { failedAt: at, firstResponseAt: 0, lastResponseAt: 0, responseCount: 0 })
        of.failures.set(operation, at)
      } else if (responded.has(outcome)) {
        of.failingAlone.delete(operation)
        of.responses.set(operation, at)
        of.firstResponseAt ||= at
        of.lastResponseAt = at
        of.responseCount += 1
      }
    },
    respondingSince({ merchant, mode }, system, operations, after, known) {
      const of = calls.get([merchant, mode, system])
      const isFailing = ([operation, at]: [string, number]) =>
        at > after && (operations.size === 0 || operations.has(operation))
      if ([...(of?.failingAlone ?? [])].some(isFailing)) return null
      if (known !== null && known > after && known > (of?.failedAt ?? 0)) return known
      return [of?.firstResponseAt, of?.lastResponseAt].find((at) => at !== undefined && at > after) ?? null
    },
    respondedBefore({ merchant, mode }, system, operations, after) {
      const of = calls.get([merchant, mode, system])
      return of && haveOthersFailed(of, operations, after) ? of.respondedBefore : null
    },
    hasOthersFailed({ merchant, mode }, system, operations, after) {
      const of = calls.get([merchant, mode, system])
      return of !== undefined && (of.pausedAt > after || haveOthersFailed(of, operations, after))
    },
    failedAt({ merchant, mode }, system, operations) {
      const of = calls.get([merchant, mode, system])
      const failedAt = (operation: string) => {
        const at = of?.failures.get(operation) ?? 0
        return at > (of?.responses.get(operation) ?? 0) ? at : 0
      }
      return Math.max(0, ...[...operations].map(failedAt))
    },
    failures: (now) => calls.values().flatMap((of) => toSystemFailure(of, now)),
  }
}

function toSystemFailure(of: SystemCalls, now: number): SystemFailure[] {
  if (!isRecentFailure(of.failedAt, now)) return []
  const { tenant, system, failingSince: since, failedAt, failurePause: pause, firstResponseAt } = of
  const isWhole = firstResponseAt === 0
  const alone = [...of.failingAlone].filter(([, at]) => isRecentFailure(at, now))
  const operations = alone.map(([operation]) => operation).toSorted()
  if (!isWhole && operations.length === 0) return []
  return [{ ...tenantColumns(tenant), system, since, failedAt, ...(pause && { pause }), isWhole, operations }]
}

const haveOthersFailed = ({ failures }: SystemCalls, operations: ReadonlySet<string>, after: number) =>
  [...failures].some(([operation, at]) => at > after && !operations.has(operation))

const createSystemCalls = (tenant: Tenant, system: string): SystemCalls => ({
  tenant,
  system,
  failures: new Map(),
  responses: new Map(),
  failingAlone: new Map(),
  pausedAt: 0,
  failingSince: 0,
  failedAt: 0,
  firstResponseAt: 0,
  lastResponseAt: 0,
  responseCount: 0,
  respondedBefore: null,
  failurePause: undefined,
})
