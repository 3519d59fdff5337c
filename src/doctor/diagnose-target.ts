import type { Adapter } from '../ports/adapter.ts'
import type { PortName } from '../ports/system.ts'
import { runAdapterExamination } from './adapter-examination.ts'
import { boostFindings } from './boost-findings.ts'
import { sampleCatalog } from './catalog-sample.ts'
import { checkImportedFitment } from './check-imported-fitment.ts'
import { connectPorts, type DoctorTarget } from './connect-ports.ts'
import type { Diagnosis, SystemFinding } from './diagnosis.ts'
import { createDiagnosisState, type DiagnosisState } from './diagnosis-state.ts'
import { createDiagnosisWriter } from './diagnosis-writer.ts'
import { productFindings } from './product-findings.ts'
import { registrationFindings } from './registration-findings.ts'
import { positionOf, runSystemProbes } from './run-system-probes.ts'
import { findSampleCustomer, findSampleSkus } from './sample-inputs.ts'

export interface DiagnoseOptions {
  adapters: Readonly<Record<string, Adapter>>
  /** The systems to examine. */
  only: readonly PortName[]
  /** The customer to make calls for: an id or an email address. */
  customer?: string | undefined
  /** How many products to sample. */
  sample: number
  /** Per call; default: twice what a request waits for the system, and at least three seconds. */
  timeoutMs?: number | undefined
  /** Stops the diagnosis; findings so far are kept. */
  signal: AbortSignal
  now: () => number
  onProgress(message: string): void
}

/** Prices and carts come last: they need the customer that the ledger's feeds name. */
const PROBE_ORDER = ['inventory', 'fitment', 'accounting', 'pricing'] as const

/** Examines one merchant's systems in one mode. Fills `diagnosis` as it goes, so that a stopped diagnosis has what is known. */
export async function diagnoseTarget(
  target: DoctorTarget,
  diagnosis: Diagnosis,
  options: DiagnoseOptions,
): Promise<void> {
  await using connections = connectPorts(target, options.adapters, options.now)
  const run = createDiagnosisState(target, options, connections, createDiagnosisWriter(diagnosis, target.systems))
  if (!options.only.some((system) => target.systems[system])) run.addFinding(nothingExamined(options.only))
  await runExaminations(run)
  if (run.isSelected('accounting')) registrationFindings(target).forEach(run.addFinding)
  await runAllProbes(run)
  await sampleProducts(run)
  if (connections.inventory && run.isSelected('inventory'))
    await runSystemProbes(run, 'inventory', connections.inventory, 'after sampling')
  diagnosis.operations.sort((a, b) => positionOf(run, a) - positionOf(run, b))
  diagnosis.finished = !options.signal.aborted
}

/** Reported when other merchants or modes have systems and this one has none. */
const nothingExamined = (systems: readonly PortName[]): SystemFinding => ({
  check: 'nothing_examined',
  severity: 'note',
  systems,
  finding: 'nothing was examined: none of these systems is configured here',
  remedy: '',
})

async function runExaminations(run: DiagnosisState): Promise<void> {
  const { connections, options, blockingChecks, addFinding, limitsFor, isSelected } = run
  for (const program of connections.programs) {
    if (options.signal.aborted || !program.systems.some(isSelected)) continue
    options.onProgress(`examining ${program.systems.join(', ')}`)
    await runAdapterExamination(program, connections, limitsFor(program.systems[0]!), (finding) => {
      addFinding(finding)
      if (finding.blocks) for (const system of program.systems) blockingChecks.set(system, finding.check)
    })
  }
}

async function runAllProbes(run: DiagnosisState): Promise<void> {
  const { target, connections, options, inputs, limitsFor, addFinding, isSelected } = run
  const reachable = run.unblockedConnections()
  if (!isSelected('inventory')) await findSampleSkus(reachable, inputs, limitsFor('inventory'))
  if (target.systems.fitment === 'imported' && isSelected('fitment')) {
    const tenant = { merchant: target.merchant.merchant, mode: target.mode }
    run.addRow(await checkImportedFitment(target.readImportedFitment, tenant))
  }
  let isCustomerKnown = false
  for (const system of PROBE_ORDER) {
    const connection = connections[system]
    if (!connection || !isSelected(system)) continue
    if (system !== 'inventory' && !isCustomerKnown) {
      isCustomerKnown = true
      await findSampleCustomer(reachable, options.customer, inputs, limitsFor('accounting'), addFinding)
    }
    await runSystemProbes(run, system, connection, 'before sampling')
  }
}

async function sampleProducts(run: DiagnosisState): Promise<void> {
  const { target, options, connections, inputs, blockingChecks, limitsFor, addFinding, isSelected } = run
  if (!connections.inventory || blockingChecks.has('inventory') || options.signal.aborted) return
  const sample = await sampleCatalog(run.unblockedConnections(), {
    sampleSize: options.sample,
    limits: limitsFor('inventory'),
    onProgress: (productCount) => options.onProgress(`sampled ${productCount} products`),
  })
  inputs.sampledCount = sample.products.length
  const findings = [
    ...productFindings(sample, connections.inventory.location, options.now()),
    ...boostFindings(target.merchant, { ...sample, ...inputs }),
  ]
  for (const finding of findings) if (finding.systems.some(isSelected)) addFinding(finding)
}
