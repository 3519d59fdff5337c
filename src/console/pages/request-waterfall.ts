import type { SectionTrace } from '../../sections/section.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import { formatDuration } from '../text/format-durations.ts'

/** One bar, in thousandths of what is drawn. */
export interface WaterfallBar {
  from: number
  /** In line for a place; the rest is the call itself. */
  queued: number
  asked: number
  /** `late`: it took up half of the time that there was, or more. */
  tone: 'ok' | 'bad' | 'late'
}

export interface RequestWaterfall {
  /** What the whole width stands for. */
  wholeMs: number
  /** Where the time was over; `null`: there was no deadline. */
  deadline: number | null
  bars: WaterfallBar[]
}

export interface WaterfallSpan {
  /** Since the request came. */
  fromMs: number
  queuedMs: number
  ms: number
  ok: boolean
}

/** A bar that is too thin to see is no bar. */
const THINNEST = 8

/** Times of a request on one scale: from its arrival to its answer or its deadline, whichever is later. */
export function toRequestWaterfall(
  spans: readonly WaterfallSpan[],
  { ms, deadlineMs }: { ms: number; deadlineMs: number | null },
): RequestWaterfall {
  const ends = spans.map((span) => span.fromMs + span.ms)
  const wholeMs = Math.max(1, ms, deadlineMs ?? 0, ...ends)
  const scaled = (of: number) => Math.round((Math.max(0, of) / wholeMs) * 1_000)
  const budget = deadlineMs ?? wholeMs
  return {
    wholeMs,
    deadline: deadlineMs === null ? null : scaled(deadlineMs),
    bars: spans.map((span) => {
      const queued = Math.min(span.queuedMs, span.ms)
      const tone = span.ok ? (span.ms >= budget / 2 ? 'late' : 'ok') : 'bad'
      const asked = Math.max(THINNEST, scaled(span.ms - queued))
      return { from: Math.min(1_000 - THINNEST, scaled(span.fromMs)), queued: scaled(queued), asked, tone }
    }),
  }
}

export const toSectionWaterfallSpan = ({ ms, code }: SectionTrace, endedMs: number): WaterfallSpan => ({
  ...{ fromMs: 0, queuedMs: 0, ms: Math.min(ms, endedMs), ok: code === null },
})

/** When a call began and how long it took, seen from its request: it may have begun before, for another that shares it, and gone on after the answer. */
export function toCallWaterfallSpan(call: CallTrace, startedAt: number, endedMs: number): WaterfallSpan {
  const fromMs = call.at - startedAt
  const began = Math.max(0, fromMs)
  const lastedMs = Math.min(call.ms ?? Number.POSITIVE_INFINITY, endedMs - fromMs)
  return {
    fromMs: began,
    queuedMs: Math.max(0, Math.min(call.queuedMs, lastedMs) - (began - fromMs)),
    ms: Math.max(0, lastedMs - (began - fromMs)),
    ok: call.outcome === 'ok' || call.outcome === 'pending',
  }
}

/** Of a call, in words: what went wrong, and what took its time. `queuedMs`: as far as this request saw. */
export function describeCall({ attempts, outcome, cause }: CallTrace, queuedMs: number): string[] {
  const said: string[] = []
  if (outcome === 'pending') said.push('under way when the answer was given')
  if (cause) said.push(cause)
  if (attempts > 1) said.push(`sent ${attempts} times`)
  if (queuedMs >= 1) said.push(`${formatDuration(queuedMs)} in line`)
  return said
}
