import type { RequestRecord } from '../../diagnostics/request-records.ts'
import type { IncidentReference } from '../../storage/diagnostics/incidents-at.ts'
import { type ErrorCodeEntry, toErrorCodeEntry } from '../text/error-code-text.ts'
import { formatDuration } from '../text/format-durations.ts'
import { formatElapsedMs } from '../text/format-times.ts'
import { describeSection } from '../text/section-text.ts'
import type { StatusPill } from './now-page-view.ts'
import { describeCall, type WaterfallBar } from './request-waterfall.ts'

type Section = RequestRecord['sections'][number]
type Call = RequestRecord['calls'][number]

export interface SectionRowView {
  name: string
  key: string
  system: string
  pill: StatusPill
  code: ErrorCodeEntry | null
  cause: string
  age: string
  ms: string
  bar: WaterfallBar
  incident: string | null
}

export interface CallRowView {
  system: string
  operation: string
  pill: StatusPill
  words: string
  ms: string
  from: string
  bar: WaterfallBar
}

/** Clocks are read one after the other: what began so shortly before did not begin before. */
const LEEWAY_MS = 5

export function toSectionRowView(
  section: Section,
  {
    startedAt,
    status,
    bar,
    incidents,
  }: { startedAt: number; status: number; bar: WaterfallBar; incidents: readonly IncidentReference[] },
): SectionRowView {
  const { name, code, cause, simulated, staleAsOf } = section
  const system = section.system ?? ''
  const incident = incidents.find((one) => one.system === system && one.section === name)
  return {
    ...{
      name: describeSection(system, name).name,
      key: name,
      system: system || 'Forecourt',
      pill: sectionPill(section, status),
    },
    ...{ code: code === null ? null : toErrorCodeEntry(code), ms: formatElapsedMs(section.ms), bar },
    cause: [cause, simulated ? 'asked for by X-Sandbox-Fault' : null].filter(Boolean).join('; '),
    age: staleAsOf === null ? '' : formatDuration(startedAt - staleAsOf),
    incident: code !== null && incident ? `/incidents/${incident.incident_id}` : null,
  }
}

export function toCallRowView(
  call: Call,
  { startedAt, endedMs, bar }: { startedAt: number; endedMs: number; bar: WaterfallBar },
): CallRowView {
  const sinceMs = call.at - startedAt
  /** Until the answer: what came after is none of its time. */
  const untilMs = Math.max(0, endedMs - sinceMs)
  const words = describeCall(call, Math.min(call.queuedMs, untilMs))
  if (call.ms !== null && call.ms > untilMs + LEEWAY_MS) words.push('it ended after the answer')
  return {
    ...{ system: call.system, operation: call.operation, pill: callPill(call), words: words.join(', '), bar },
    ms: call.ms === null ? '–' : tookWords(call, Math.min(call.ms, untilMs)),
    from: sinceMs < -LEEWAY_MS ? 'before it, for another request' : `after ${formatElapsedMs(Math.max(0, sinceMs))}`,
  }
}

/** What was never sent took no time of the system's. */
function tookWords({ attempts, outcome }: Call, ms: number): string {
  if (attempts > 0 || outcome === 'ok') return formatElapsedMs(ms)
  return ms < 1 ? 'not sent' : `not sent: waited ${formatElapsedMs(ms)}`
}

function sectionPill({ name, code, staleAsOf }: Section, status: number): StatusPill {
  if (code === null) return { tone: 'well', word: 'Well' }
  if (name === 'checkout') return { tone: 'failing', word: status < 500 ? 'Not confirmed' : 'Refused' }
  if (staleAsOf !== null) return { tone: 'warning', word: 'Older values' }
  if (code === 'partial_result') return { tone: 'warning', word: 'Some missing' }
  return code === 'not_configured' ? { tone: '', word: 'Not offered' } : { tone: 'failing', word: 'Missing' }
}

function callPill({ outcome }: Call): StatusPill {
  if (outcome === 'ok') return { tone: 'well', word: 'Well' }
  return outcome === 'pending' ? { tone: '', word: 'Under way' } : { tone: 'failing', word: 'Failed' }
}
