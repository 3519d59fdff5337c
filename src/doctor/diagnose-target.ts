import type { Adapter } from '../ports/adapter.ts'
import { type PortName, portNames } from '../ports/system.ts'
import { runAdapterExamination } from './adapter-examination.ts'
import type { ProbeLimits } from './call-once.ts'
import { sampleCatalog } from './catalog-sample.ts'
import { type ConnectedPort, connectPorts, type DoctorTarget, type TargetConnections } from './connect-ports.ts'
import type { Diagnosis, OperationRow, SystemFinding } from './diagnosis.ts'
import { createDiagnosisWriter } from './diagnosis-writer.ts'
import { checkImportedFitment } from './imported-fitment.ts'
import type { OperationProbe, ProbeInputs } from './operation-probe.ts'
import { accountingProbes } from './probes/accounting-probes.ts'
import { fitmentProbes } from './probes/fitment-probes.ts'
import { inventoryProbes } from './probes/inventory-probes.ts'
import { pricingProbes } from './probes/pricing-probes.ts'
import { productFindings } from './product-findings.ts'
import { runProbe } from './run-probe.ts'
import { findSampleCustomer, findSampleSkus } from './sample-inputs.ts'

export interface DiagnoseOptions {
  adapters: Readonly<Record<string, Adapter>>
  /** Systems to look at. */
  only: readonly PortName[]
  /** The customer to ask with: an id or a mailbox. */
  customer?: string | undefined
  /** Products to walk over. */
  sample: number
  /** For one question; without it, what a request waits and some more. */
  timeoutMs?: number | undefined
  /** Ends the visit; what is known by then is kept. */
  signal: AbortSignal
  now: () => number
  onProgress(what: string): void
}

interface Visit {
  patient: DoctorTarget
  options: DiagnoseOptions
  connections: TargetConnections
  known: ProbeInputs
  /** Of which nothing can be asked, with the check that says why. */
  blocked: Map<PortName, string>
  /** Questions of each system in a row that got no answer. */
  unanswered: Map<PortName, number>
  keep(found: SystemFinding): void
  addRow(row: OperationRow): void
  patienceOf(source: PortName): ProbeLimits
}

/** Over what a connection may take: that none is made must be told as such. */
const LEAST_PATIENCE_MS = 3_000
/** A system that hangs is not waited for with every question there is. */
const MOST_UNANSWERED = 5
/** Prices and carts are asked for last, with the customer that the ledger tells of. */
const ORDER = ['inventory', 'fitment', 'accounting', 'pricing'] as const

/** Looks at one merchant's systems in one mode, and fills `diagnosis` as it goes: whoever ends the visit has what is known. */
export async function diagnoseTarget(
  patient: DoctorTarget,
  diagnosis: Diagnosis,
  options: DiagnoseOptions,
): Promise<void> {
  await using connections = connectPorts(patient, options.adapters, options.now)
  const patienceOf = (source: PortName) => ({
    timeoutMs: options.timeoutMs ?? Math.max(LEAST_PATIENCE_MS, 2 * (connections[source]?.limitMs ?? 0)),
    signal: options.signal,
  })
  const known: ProbeInputs = { skus: [], now: new Date(options.now()), pictures: connections.pictures, sampledCount: 0 }
  const notes = createDiagnosisWriter(diagnosis, patient.systems)
  const of: Visit = {
    ...{ patient, options, connections, known, blocked: new Map(), unanswered: new Map(), patienceOf },
    ...notes,
  }
  if (!options.only.some((source) => patient.systems[source])) of.keep(nothingThere(of))
  await examineAll(of)
  await askAll(of)
  await walkAll(of)
  if (connections.inventory && wanted(of, 'inventory')) await askSource(of, 'inventory', connections.inventory, true)
  diagnosis.operations.sort((a, b) => placeOf(of, a) - placeOf(of, b))
  diagnosis.finished = !options.signal.aborted
}

/** Beside other merchants or modes that have something. */
const nothingThere = ({ options: { only } }: Visit): SystemFinding => ({
  ...{ check: 'nothing_examined', severity: 'note', systems: only },
  finding: 'nothing was examined: none of these systems is configured here',
  remedy: '',
})

/** Where a row stands in the report, whenever it was asked. */
function placeOf({ connections, patient }: Visit, { system, operation }: OperationRow): number {
  const connected = connections[system]
  const questions = connected ? questionsOf(system, connected, patient) : []
  return 1_000 * portNames.indexOf(system) + questions.findIndex((question) => question.operation === operation)
}

const wanted = ({ options }: Visit, source: PortName) => options.only.includes(source)

async function examineAll(of: Visit): Promise<void> {
  const { connections, options, blocked, keep, patienceOf } = of
  for (const program of connections.programs) {
    if (options.signal.aborted || !program.systems.some((source) => wanted(of, source))) continue
    options.onProgress(`looking at ${program.systems.join(', ')}`)
    await runAdapterExamination(program, connections, patienceOf(program.systems[0]!), (found) => {
      keep(found)
      if (found.blocks) for (const source of program.systems) blocked.set(source, found.check)
    })
  }
}

async function askAll(of: Visit): Promise<void> {
  const { connections, options, known, patienceOf, keep } = of
  const reachable = unblocked(of)
  if (!wanted(of, 'inventory')) await findSampleSkus(reachable, known, patienceOf('inventory'))
  if (of.patient.systems.fitment === 'imported' && wanted(of, 'fitment')) {
    const { merchant, mode, importedFitmentSummary: imported } = of.patient
    of.addRow(await checkImportedFitment(imported, { merchant: merchant.merchant, mode }))
  }
  let customerSought = false
  for (const source of ORDER) {
    const connected = connections[source]
    if (!connected || !wanted(of, source)) continue
    if (source !== 'inventory' && !customerSought) {
      customerSought = true
      await findSampleCustomer(reachable, options.customer, known, patienceOf('accounting'), keep)
    }
    await askSource(of, source, connected)
  }
}

async function askSource(of: Visit, system: PortName, connected: ConnectedPort, afterWalk = false): Promise<void> {
  const { options, known, blocked, patienceOf, unanswered } = of
  const questions = questionsOf(system, connected, of.patient)
  for (const question of questions.filter((one) => (one.isAfterSampling ?? false) === afterWalk)) {
    if (options.signal.aborted) return
    options.onProgress(`requestScope ${system}: ${question.operation}`)
    const asked = { system, connected, known, patience: patienceOf(system) }
    const check = blocked.get(system)
    const before = unanswered.get(system) ?? 0
    const hung = before >= MOST_UNANSWERED ? `the ${before} questions before it got no answer` : null
    const why = check ? `nothing can be asked until this is mended: ${check}` : hung
    const row = why ? untried(question, asked, why) : await runProbe(question, asked)
    of.addRow(row)
    if (row.finding?.startsWith('no answer within')) unanswered.set(system, before + 1)
    else if (row.latency) unanswered.set(system, 0)
  }
}

async function walkAll(of: Visit): Promise<void> {
  const { options, connections, known, blocked, patienceOf, keep } = of
  if (!connections.inventory || blocked.has('inventory') || options.signal.aborted) return
  const onProgress = (done: number) => options.onProgress(`${done} products looked at`)
  const walked = await sampleCatalog(unblocked(of), {
    ...{ sample: options.sample, patience: patienceOf('inventory'), onProgress },
  })
  known.sampledCount = walked.products.length
  const found = productFindings(walked, connections.inventory.location, options.now())
  for (const one of found) if (one.systems.some((source) => wanted(of, source))) keep(one)
}

function questionsOf(source: PortName, { port }: ConnectedPort, { systems }: DoctorTarget): OperationProbe[] {
  if (source === 'inventory') return inventoryProbes(port as never, systems.fitment !== undefined)
  if (source === 'fitment') return fitmentProbes(port as never)
  return source === 'pricing' ? pricingProbes(port as never) : accountingProbes(port as never)
}

const untried = (
  { operation }: OperationProbe,
  { system, connected }: { system: PortName; connected: ConnectedPort },
  why: string,
): OperationRow => ({
  ...{ system, operation, limitMs: connected.limitMs, result: 'not tried', latency: null },
  finding: why,
  remedy: null,
})

function unblocked({ connections, blocked }: Visit): TargetConnections {
  const left = { ...connections }
  for (const source of blocked.keys()) delete left[source]
  return left
}
