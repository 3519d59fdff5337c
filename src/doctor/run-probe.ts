import type { UpstreamError } from '../errors.ts'
import type { PortName } from '../ports/system.ts'
import { callOnce, type ProbeLimits, type TimedResult } from './call-once.ts'
import type { ConnectedPort } from './connect-ports.ts'
import type { OperationResult, OperationRow } from './diagnosis.ts'
import { remedyForFailure } from './failure-remedies.ts'
import type { OperationProbe, ProbeFinding, ProbeInputs } from './operation-probe.ts'

/** After the first answer, which may have logged in and filled tables. */
const AGAIN = 3
/** Of what a request may wait. */
const SLOW_SHARE = 0.5
/** What a feed may take: nobody waits for it. */
const BACKGROUND_MS = 10_000

export interface ProbeContext {
  system: PortName
  connected: ConnectedPort
  known: ProbeInputs
  patience: ProbeLimits
}

/** Asks one question some times over, and says what came of it. */
export async function runProbe(
  question: OperationProbe,
  { system, connected, known, patience }: ProbeContext,
): Promise<OperationRow> {
  const limitMs = question.isBackground ? Math.max(BACKGROUND_MS, connected.limitMs) : connected.limitMs
  const row = (
    result: OperationResult,
    latency: OperationRow['latency'],
    finding?: string,
    remedy?: string,
  ): OperationRow => ({
    ...{ system, operation: question.operation, result, latency, limitMs },
    ...{ finding: finding ?? null, remedy: remedy ?? null },
  })
  const work = question.prepare(known)
  if (typeof work !== 'function') return row(work.result, null, work.finding, work.remedy)
  const first = await callOnce(work, patience)
  if ('error' in first) {
    const { failure, message } = first.error
    const result = failure === 'not_configured' ? 'not offered' : failure === 'aborted' ? 'not tried' : 'failed'
    return row(result, { cold: first.ms, warm: null }, message, remedyForFailure(first.error, connected.location))
  }
  question.learn?.(first.value, known)
  const { warm, failed } = await again(work, patience)
  const latency = { cold: first.ms, warm }
  if (failed) {
    const finding = `it answered, and then failed: ${failed.message}`
    return row('warning', latency, finding, remedyForFailure(failed, connected.location))
  }
  const odd = question.evaluate?.(first.value, known) ?? tooSlow(warm ?? first.ms, limitMs, connected.location.path)
  if (odd) return row(resultOf(odd), latency, odd.finding, odd.remedy)
  return row('ok', latency)
}

interface Slow extends ProbeFinding {
  slow: true
}

function resultOf(odd: ProbeFinding | Slow): OperationResult {
  if (odd.failed) return 'failed'
  return 'slow' in odd ? 'slow' : 'warning'
}

async function again(work: Parameters<typeof callOnce>[0], patience: ProbeLimits) {
  const times: number[] = []
  for (let n = 0; n < AGAIN && !patience.signal.aborted; n += 1) {
    const outcome: TimedResult<unknown> = await callOnce(work, patience)
    if ('error' in outcome) return outcome.error.failure === 'aborted' ? ended(times) : failedWith(outcome.error, times)
    times.push(outcome.ms)
  }
  return ended(times)
}

const ended = (times: number[]): { warm: number | null; failed?: UpstreamError } => ({
  warm: times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? null,
})
const failedWith = (failed: UpstreamError, times: number[]) => ({ ...ended(times), failed })

function tooSlow(ms: number, limitMs: number, path: string): Slow | null {
  if (ms <= limitMs * SLOW_SHARE) return null
  const late = ms > limitMs
  return {
    slow: true,
    failed: late,
    finding: late
      ? `it takes longer than a request waits for it (${limitMs} ms)`
      : `it takes over half of the ${limitMs} ms that a request waits for it`,
    remedy: `Give the system a faster machine or nearer place, or let it take longer: ${path}.limits.timeout_ms`,
  }
}
