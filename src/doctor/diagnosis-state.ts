import type { PortName } from '../ports/system.ts'
import type { ProbeLimits } from './call-with-deadline.ts'
import type { DoctorTarget, TargetConnections } from './connect-ports.ts'
import type { DiagnoseOptions } from './diagnose-target.ts'
import type { DiagnosisWriter } from './diagnosis-writer.ts'
import type { ProbeInputs } from './operation-probe.ts'

/** The state of one diagnosis. */
export interface DiagnosisState extends DiagnosisWriter {
  target: DoctorTarget
  options: DiagnoseOptions
  connections: TargetConnections
  inputs: ProbeInputs
  /** Systems that cannot be called, with the check that says why. */
  blockingChecks: Map<PortName, string>
  /** Consecutive timeouts by system. */
  timeouts: Map<PortName, number>
  limitsFor(system: PortName): ProbeLimits
  isSelected(system: PortName): boolean
  /** The connections without those of blocked systems. */
  unblockedConnections(): TargetConnections
}

/** Longer than a connect timeout, so that a failed connection is reported as one. */
const MIN_TIMEOUT_MS = 3_000

export function createDiagnosisState(
  target: DoctorTarget,
  options: DiagnoseOptions,
  connections: TargetConnections,
  writer: DiagnosisWriter,
): DiagnosisState {
  const blockingChecks = new Map<PortName, string>()
  return {
    target,
    options,
    connections,
    inputs: { skus: [], now: new Date(options.now()), pictures: connections.pictures, sampledCount: 0 },
    blockingChecks,
    timeouts: new Map(),
    limitsFor: (system) => ({
      timeoutMs: options.timeoutMs ?? Math.max(MIN_TIMEOUT_MS, 2 * (connections[system]?.limitMs ?? 0)),
      signal: options.signal,
    }),
    isSelected: (system) => options.only.includes(system),
    unblockedConnections() {
      const unblocked = { ...connections }
      for (const system of blockingChecks.keys()) delete unblocked[system]
      return unblocked
    },
    ...writer,
  }
}
