import type { SectionTrace } from '../../../sections/section-trace.ts'
import type { CallTrace } from '../../../upstream/request/call-trace.ts'

/** A bar, in thousandths of the scale. */
export interface WaterfallBar {
  start: number
  /** The width of the time in the queue. */
  queued: number
  /** The width of the call itself. */
  active: number
  /** `late`: it used half of the time budget or more. */
  tone: 'ok' | 'bad' | 'late'
}

export interface RequestWaterfall {
  /** The duration that the full width stands for. */
  scaleMs: number
  /** The position of the deadline, in thousandths. `null`: the request had none. */
  deadline: number | null
  bars: WaterfallBar[]
}

export interface WaterfallSpan {
  /** Milliseconds since the arrival of the request. */
  startMs: number
  queuedMs: number
  ms: number
  isOk: boolean
}

/** Thinner bars are invisible. */
const MIN_BAR_WIDTH = 8

/** Draws spans on one scale: from the arrival of the request to its response or its deadline, whichever is later. */
export function toRequestWaterfall(
  spans: readonly WaterfallSpan[],
  { ms, deadlineMs }: { ms: number; deadlineMs: number | null },
): RequestWaterfall {
  const scaleMs = Math.max(1, ms, deadlineMs ?? 0, ...spans.map((span) => span.startMs + span.ms))
  const toThousandths = (valueMs: number) => Math.round((Math.max(0, valueMs) / scaleMs) * 1_000)
  const budgetMs = deadlineMs ?? scaleMs
  const toBar = (span: WaterfallSpan): WaterfallBar => {
    const queuedMs = Math.min(span.queuedMs, span.ms)
    const okTone = span.ms >= budgetMs / 2 ? 'late' : 'ok'
    return {
      start: Math.min(1_000 - MIN_BAR_WIDTH, toThousandths(span.startMs)),
      queued: toThousandths(queuedMs),
      active: Math.max(MIN_BAR_WIDTH, toThousandths(span.ms - queuedMs)),
      tone: span.isOk ? okTone : 'bad',
    }
  }
  return { scaleMs, deadline: deadlineMs === null ? null : toThousandths(deadlineMs), bars: spans.map(toBar) }
}

export const toSectionWaterfallSpan = ({ ms, code }: SectionTrace, endedMs: number): WaterfallSpan => ({
  startMs: 0,
  queuedMs: 0,
  ms: Math.min(ms, endedMs),
  isOk: code === null,
})

/** Clips a call to its request. A shared call may start before the request, and any call may end after the response. */
export function toCallWaterfallSpan(call: CallTrace, startedAt: number, endedMs: number): WaterfallSpan {
  const callStartMs = call.at - startedAt
  const startMs = Math.max(0, callStartMs)
  const clippedMs = startMs - callStartMs
  const durationMs = Math.min(call.ms ?? Number.POSITIVE_INFINITY, endedMs - callStartMs)
  return {
    startMs,
    queuedMs: Math.max(0, Math.min(call.queuedMs, durationMs) - clippedMs),
    ms: Math.max(0, durationMs - clippedMs),
    isOk: call.outcome === 'ok' || call.outcome === 'pending',
  }
}
