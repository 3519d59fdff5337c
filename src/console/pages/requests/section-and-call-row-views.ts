import type { RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import type { IncidentReference } from '../../../storage/diagnostics/incident-queries.ts'
import { connectionKind } from '../../../upstream/request/failure-kind.ts'
import { describeCalledOperation } from '../../text/called-operation-text.ts'
import { type ErrorCodeEntry, toErrorCodeEntry } from '../../text/error-code-text.ts'
import { adviceForFailure, SIMULATED_FAILURE_ADVICE } from '../../text/failure-advice-text.ts'
import { capitalizeFailure, describeFailure } from '../../text/failure-kind-text.ts'
import { formatDuration, formatElapsedMs } from '../../text/format-durations.ts'
import { describeSection } from '../../text/section-text.ts'
import type { StatusPill } from '../status-pill.ts'
import type { WaterfallBar } from './request-waterfall.ts'

type Section = RequestRecord['sections'][number]
type Call = RequestRecord['calls'][number]

export interface SectionRowView {
  name: string
  key: string
  system: string
  pill: StatusPill
  code: ErrorCodeEntry | null
  /** How the system failed: for an open circuit, the failures that opened it. */
  failure: string
  cause: string
  staleAge: string
  duration: string
  bar: WaterfallBar
  incidentHref: string | null
}

export interface CallRowView {
  system: string
  /** What the system was asked. */
  title: string
  operation: string
  pill: StatusPill
  details: string
  duration: string
  start: string
  bar: WaterfallBar
}

/** Clocks are read one after the other, so shorter differences say nothing about the order. */
const CLOCK_TOLERANCE_MS = 5

export interface SectionRowContext {
  /** When the response ended: incidents have the ages of that time. */
  endedAt: number
  status: number
  bar: WaterfallBar
  incidents: readonly IncidentReference[]
}

export function toSectionRowView(
  section: Section,
  { endedAt, status, bar, incidents }: SectionRowContext,
): SectionRowView {
  const { name, code, kind, cause, simulated, staleAsOf } = section
  const system = section.system ?? ''
  const incident = incidents.find((candidate) => candidate.system === system && candidate.section === name)
  return {
    name: describeSection(system, name).name,
    key: name,
    system: nameSystem(system),
    pill: toSectionPill(section, status),
    code: code === null ? null : toSectionCode(section, code),
    failure: code === null ? '' : describeSectionFailure(code, kind),
    cause: simulated || isSaidByKind(cause, kind) ? '' : describeFailure(cause!),
    staleAge: staleAsOf === null ? '' : formatDuration(endedAt - staleAsOf),
    duration: formatElapsedMs(section.ms),
    bar,
    incidentHref: code !== null && incident ? `/incidents/${incident.incident_id}` : null,
  }
}

/** An open circuit has the kind of the failures before it: the section itself made no call. */
const describeSectionFailure = (code: string, kind = '') =>
  code === 'circuit_open' && kind !== '' ? `No call, after: ${describeFailure(kind)}` : capitalizeFailure(kind)

const TIMEOUT = /^(no response in|incomplete response after)/

/** A kind rounds the time that nobody responded in. */
const isSaidByKind = (cause: string | null, kind: string | undefined) =>
  cause === null || cause === kind || (TIMEOUT.test(cause) && TIMEOUT.test(kind ?? ''))

const codesForSupport = new Map([
  ['login refused', 'unauthorized'],
  ['wrong setting', 'misconfigured'],
])

/** Returns the code that pages show. Clients see downstream_error for some failures; incidents have the same code as here. */
export const toShownCode = ({ kind = '', code }: { kind?: string | undefined; code: string | null }): string =>
  codesForSupport.get(kind) ?? code!

/** What to check depends on how the system failed; a code covers several ways. */
function toSectionCode({ kind, simulated }: Section, code: string): ErrorCodeEntry {
  const entry = toErrorCodeEntry(toShownCode({ kind, code }))
  if (simulated) return { ...entry, advice: SIMULATED_FAILURE_ADVICE }
  return { ...entry, advice: adviceForFailure(kind ?? '') || entry.advice }
}

export function toCallRowView(
  call: Call,
  { startedAt, endedMs, bar }: { startedAt: number; endedMs: number; bar: WaterfallBar },
): CallRowView {
  const startMs = call.at - startedAt
  /** Time after the response does not count. */
  const maxMs = Math.max(0, endedMs - startMs)
  const details = describeCall(call, Math.min(call.queuedMs, maxMs))
  if (call.ms !== null && call.ms > maxMs + CLOCK_TOLERANCE_MS) details.push('ended after the response')
  const hasStartedBefore = startMs < -CLOCK_TOLERANCE_MS
  return {
    system: nameSystem(call.system),
    title: describeCalledOperation(call.system, call.operation),
    operation: call.operation,
    pill: toCallPill(call),
    details: details.join(', '),
    duration: call.ms === null ? '–' : formatCallDuration(call, Math.min(call.ms, maxMs)),
    start: hasStartedBefore ? 'earlier, for another request' : `after ${formatElapsedMs(Math.max(0, startMs))}`,
    bar,
  }
}

/** Describes what went wrong with a call and what took time. `queuedMs` is the part of the queue time that this request waited. */
export function describeCall({ attempts, outcome, cause }: Call, queuedMs: number): string[] {
  const details: string[] = []
  if (outcome === 'pending') details.push('in progress when the response was sent')
  if (cause) details.push(describeCause(cause))
  if (attempts > 1) details.push(`sent ${attempts} times`)
  if (queuedMs >= 1) details.push(`${formatDuration(queuedMs)} in the queue`)
  return details
}

/** An error code of Node.js follows its plain words. */
const describeCause = (cause: string) =>
  /^[A-Z][A-Z\d_]+$/.test(cause) ? `${connectionKind(cause)} (${cause})` : describeFailure(cause)

/** A call that was not sent has no latency, only time in the queue. */
function formatCallDuration({ attempts, outcome }: Call, ms: number): string {
  if (attempts > 0 || outcome === 'ok') return formatElapsedMs(ms)
  return ms < 1 ? 'not sent' : `not sent, waited ${formatElapsedMs(ms)}`
}

function toSectionPill({ name, code, staleAsOf }: Section, status: number): StatusPill {
  if (code === null) return { tone: 'well', text: 'OK' }
  if (status >= 500) return { tone: 'failing', text: 'Refused' }
  if (name === 'checkout') return { tone: 'failing', text: 'Not confirmed' }
  if (staleAsOf !== null) return { tone: 'warning', text: 'Older value' }
  if (code === 'partial_result') return { tone: 'warning', text: 'Some missing' }
  return code === 'not_configured' ? { tone: '', text: 'Not offered' } : { tone: 'failing', text: 'Missing' }
}

function toCallPill({ outcome, attempts }: Call): StatusPill {
  if (outcome === 'ok') return { tone: 'well', text: 'OK' }
  if (outcome === 'pending') return { tone: '', text: 'In progress' }
  return attempts === 0 ? { tone: 'warning', text: 'Not sent' } : { tone: 'failing', text: 'Failed' }
}
