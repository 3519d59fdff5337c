import { INCIDENT_QUIET_MS, type IncidentKey } from '../../storage/diagnostics/open-incidents.ts'
import type { Mode } from '../../tenant.ts'

/** Without another failure for this long, a process no longer counts as one that sees it: it may have had no calls. */
export const FAILURE_EVIDENCE_MS = 60_000

/** Returns whether a failure still shows something at an instant. A wrong clock may have dated it far ahead. */
export const isRecentFailure = (at: number, now: number): boolean => Math.abs(now - at) <= FAILURE_EVIDENCE_MS

/** When a process saw failures last, and when it saw none. Absent: an earlier release wrote it. */
interface FailureTimes {
  failedAt?: number
  /** The latest five seconds or more between two failures. */
  pause?: FailurePause
}

export interface FailurePause {
  from: number
  to: number
}

/** A section that a process sees failing: neither the section nor the operations that it needs have succeeded since. */
export interface SectionFailure extends IncidentKey, FailureTimes {
  /** The first failure since it was healthy (milliseconds since the epoch). */
  since: number
  /** The operations of its system that have failed. */
  operations: string[]
}

/** A system of which a process sees failures that no later response of the same operation has disproved. */
export interface SystemFailure extends FailureTimes {
  tenant_id: string
  mode: Mode
  system: string
  since: number
  /** It has responded to no call since. */
  isWhole: boolean
  /** Operations that have failed since others succeeded. */
  operations: string[]
}

/** What one process sees failing. It is a part of its stored state, so it ends with the process. */
export interface FailureEvidence {
  sections: SectionFailure[]
  systems: SystemFailure[]
}

/** The evidence of several processes about incidents. */
export interface MergedFailureEvidence {
  /** Returns whether a process sees the section of an incident failing. Then the incident goes on, whatever the others see. */
  isSectionFailing(incident: IncidentKey): boolean
  /** Returns whether a process sees calls to the system of an incident failing. Then the system does not respond again. */
  isSystemFailing(incident: IncidentKey): boolean
  /** Returns whether a process has seen failures before, and during, a time in which another one saw the system respond. */
  hasFailedDuring(incident: IncidentKey, time: FailurePause): boolean
}

export function mergeFailureEvidence(all: readonly FailureEvidence[]): MergedFailureEvidence {
  const bySystem = <F extends SystemKey>(failures: readonly F[]) => Map.groupBy(failures, toSystemKey)
  const sections = bySystem(all.flatMap((evidence) => evidence.sections))
  const systems = bySystem(all.flatMap((evidence) => evidence.systems))

  const sectionFailures = (incident: IncidentKey) =>
    (sections.get(toSystemKey(incident)) ?? []).filter(({ section }) => section === incident.section)
  const systemFailures = (incident: IncidentKey) => systems.get(toSystemKey(incident)) ?? []
  /** The section may need what another process called. */
  const needsFailing = (incident: IncidentKey, { operations }: SystemFailure) =>
    sectionFailures(incident).some((one) => one.operations.some((operation) => operations.includes(operation)))

  return {
    isSectionFailing: (incident) => sectionFailures(incident).length > 0,
    isSystemFailing: (incident) =>
      systemFailures(incident).some((failure) => failure.isWhole || needsFailing(incident, failure)),
    hasFailedDuring: (incident, time) =>
      [...sectionFailures(incident), ...systemFailures(incident).filter(({ isWhole }) => isWhole)].some(
        (failure) => failure.since <= time.from && !isPausedDuring(failure, time),
      ),
  }
}

/** Returns when failures paused last. */
export function findFailurePause(
  known: FailurePause | undefined,
  failedAt: number | null,
  at: number,
): FailurePause | undefined {
  return failedAt && at - failedAt >= INCIDENT_QUIET_MS ? { from: failedAt, to: at } : known
}

const isPausedDuring = ({ failedAt = Number.POSITIVE_INFINITY, pause }: FailureTimes, { from, to }: FailurePause) =>
  failedAt <= from || (pause !== undefined && pause.from <= from && pause.to >= to)

type SystemKey = Pick<IncidentKey, 'tenant_id' | 'mode' | 'system'>
const toSystemKey = ({ tenant_id, mode, system }: SystemKey) => `${tenant_id}\n${mode}\n${system}`
