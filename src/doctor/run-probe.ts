import type { UpstreamError } from '../errors.ts'
import type { PortName } from '../ports/system.ts'
import { callWithDeadline, type ProbeLimits } from './call-with-deadline.ts'
import type { ConnectedPort } from './connect-ports.ts'
import type { OperationResult, OperationRow } from './diagnosis.ts'
import { remedyForFailure } from './failure-remedies.ts'
import type { OperationProbe, ProbeFinding, ProbeInputs } from './operation-probe.ts'

/** Calls after the first one, which may have logged in and filled caches. */
const WARM_CALLS = 3
/** A share of the time that a request waits. */
const SLOW_SHARE = 0.5
/** The limit of operations that no request waits for. */
const BACKGROUND_MS = 10_000

export interface ProbeContext {
  system: PortName
  connection: ConnectedPort
  inputs: ProbeInputs
  limits: ProbeLimits
}

/** Calls one operation several times and reports the result. */
export async function runProbe(
  probe: OperationProbe,
  { system, connection, inputs, limits }: ProbeContext,
): Promise<OperationRow> {
  const limitMs = probe.isBackground ? Math.max(BACKGROUND_MS, connection.limitMs) : connection.limitMs
  const row = (
    result: OperationResult,
    latency: OperationRow['latency'],
    finding?: string,
    remedy?: string,
  ): OperationRow => ({
    system,
    operation: probe.operation,
    result,
    latency,
    limitMs,
    finding: finding ?? null,
    remedy: remedy ?? null,
  })
  const work = probe.prepare(inputs)
  if (typeof work !== 'function') return row(work.result, null, work.finding, work.remedy)
  const first = await callWithDeadline(work, limits)
  if ('error' in first) {
    const remedy = remedyForFailure(first.error, connection.location)
    return row(resultOfFailure(first.error), { cold: first.ms, warm: null }, first.error.message, remedy)
  }
  probe.learn?.(first.value, inputs)
  const { warm, error } = await measureWarmCalls(work, limits)
  const latency = { cold: first.ms, warm }
  if (error) {
    const finding = `the first call succeeded, but a later one failed: ${error.message}`
    return row('warning', latency, finding, remedyForFailure(error, connection.location))
  }
  const problem = probe.evaluate?.(first.value, inputs) ?? findSlowness(warm ?? first.ms, limitMs, probe, connection)
  return problem ? row(resultOfProblem(problem), latency, problem.finding, problem.remedy) : row('ok', latency)
}

const ownCircuitOfSearches = (path: string) =>
  `Slow searches open only their own circuit, inventory-search; ${path}.limits.search_concurrency limits how many run at once`

interface SlownessFinding extends ProbeFinding {
  isSlow: true
}

function resultOfFailure({ failure }: UpstreamError): OperationResult {
  if (failure === 'not_configured') return 'not offered'
  return failure === 'aborted' ? 'not tried' : 'failed'
}

function resultOfProblem(problem: ProbeFinding | SlownessFinding): OperationResult {
  if (problem.failed) return 'failed'
  return 'isSlow' in problem ? 'slow' : 'warning'
}

interface WarmCalls {
  /** The median in milliseconds; `null`: no call succeeded. */
  warm: number | null
  error?: UpstreamError
}

async function measureWarmCalls(work: Parameters<typeof callWithDeadline>[0], limits: ProbeLimits): Promise<WarmCalls> {
  const durationsMs: number[] = []
  for (let count = 0; count < WARM_CALLS && !limits.signal.aborted; count += 1) {
    const result = await callWithDeadline(work, limits)
    if (!('error' in result)) {
      durationsMs.push(result.ms)
      continue
    }
    const warm = median(durationsMs)
    return result.error.failure === 'aborted' ? { warm } : { warm, error: result.error }
  }
  return { warm: median(durationsMs) }
}

const median = (numbers: readonly number[]): number | null =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null

function findSlowness(
  ms: number,
  limitMs: number,
  { operation }: OperationProbe,
  { location: { path } }: ConnectedPort,
): SlownessFinding | null {
  if (ms <= limitMs * SLOW_SHARE) return null
  const raiseLimit = `Give the system a faster machine or a shorter network path, or raise the limit: ${path}.limits.timeout_ms`
  const isTooSlow = ms > limitMs
  return {
    isSlow: true,
    failed: isTooSlow,
    finding: isTooSlow
      ? `it takes longer than the ${limitMs} ms that a request waits for it`
      : `it takes more than half of the ${limitMs} ms that a request waits for it`,
    remedy: /^search\b/.test(operation) ? `${raiseLimit}. ${ownCircuitOfSearches(path)}` : raiseLimit,
  }
}
