import { type PortName, portNames } from '../ports/system.ts'
import type { ConnectedPort, DoctorTarget } from './connect-ports.ts'
import type { OperationRow } from './diagnosis.ts'
import type { DiagnosisState } from './diagnosis-state.ts'
import type { OperationProbe } from './operation-probe.ts'
import { accountingProbes } from './probes/accounting-probes.ts'
import { inventoryProbes } from './probes/inventory-probes.ts'
import { pricingProbes } from './probes/pricing-probes.ts'
import { fitmentProbes } from './probes/vehicle-probes.ts'
import { runProbe } from './run-probe.ts'

/** After this many consecutive timeouts, the remaining operations of a system are skipped. */
const MAX_TIMEOUTS = 5

/** Runs the probes of one system that come before, or after, the sampling of products. */
export async function runSystemProbes(
  run: DiagnosisState,
  system: PortName,
  connection: ConnectedPort,
  stage: 'before sampling' | 'after sampling',
): Promise<void> {
  const { options, inputs, limitsFor, timeouts } = run
  const isAfterSampling = stage === 'after sampling'
  const probes = probesFor(system, connection, run.target)
  for (const probe of probes.filter((each) => (each.isAfterSampling ?? false) === isAfterSampling)) {
    if (options.signal.aborted) return
    options.onProgress(`calling ${system}: ${probe.operation}`)
    const context = { system, connection, inputs, limits: limitsFor(system) }
    const reason = skipReason(run, system)
    if (reason !== null) {
      run.addRow(skippedRow(probe, context, reason))
      continue
    }
    const row = await runProbe(probe, context)
    run.addRow(row)
    if (row.finding?.startsWith('no response within')) timeouts.set(system, (timeouts.get(system) ?? 0) + 1)
    else if (row.latency) timeouts.set(system, 0)
  }
}

/** The position of a row in the report, whatever the order of the calls. */
export function positionOf({ connections, target }: DiagnosisState, { system, operation }: OperationRow): number {
  const connection = connections[system]
  const probes = connection ? probesFor(system, connection, target) : []
  return 1_000 * portNames.indexOf(system) + probes.findIndex((probe) => probe.operation === operation)
}

function probesFor(system: PortName, { port }: ConnectedPort, { systems }: DoctorTarget): OperationProbe[] {
  if (system === 'inventory') return inventoryProbes(port as never, systems.fitment !== undefined)
  if (system === 'fitment') return fitmentProbes(port as never)
  return system === 'pricing' ? pricingProbes(port as never) : accountingProbes(port as never)
}

function skipReason({ blockingChecks, timeouts }: DiagnosisState, system: PortName): string | null {
  const check = blockingChecks.get(system)
  if (check) return `blocked until this is fixed: ${check}`
  const count = timeouts.get(system) ?? 0
  return count >= MAX_TIMEOUTS ? `not called, because the previous ${count} calls timed out` : null
}

const skippedRow = (
  { operation }: OperationProbe,
  { system, connection }: { system: PortName; connection: ConnectedPort },
  reason: string,
): OperationRow => ({
  system,
  operation,
  limitMs: connection.limitMs,
  result: 'not tried',
  latency: null,
  finding: reason,
  remedy: null,
})
