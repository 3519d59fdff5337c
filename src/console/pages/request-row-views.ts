import type { RequestRecord } from '../../diagnostics/request-records.ts'
import type { IncidentAt } from '../../storage/diagnostics/incidents-at.ts'
import { type NamedCode, namedCode } from '../text/error-code-text.ts'
import { took } from '../text/format-times.ts'
import type { Pill } from './now-page-view.ts'
import { type Bar, callWords } from './request-waterfall.ts'
import { sectionWords } from '../text/section-text.ts'
import { lasting } from '../text/format-durations.ts'

type Section = RequestRecord['sections'][number]
type Call = RequestRecord['calls'][number]

export interface SectionShown {
  name: string
  key: string
  system: string
  pill: Pill
  code: NamedCode | null
  cause: string
  age: string
  ms: string
  bar: Bar
  incident: string | null
}

export interface CallShown {
  system: string
  operation: string
  pill: Pill
  words: string
  ms: string
  from: string
  bar: Bar
}

/** Clocks are read one after the other: what began so shortly before did not begin before. */
const LEEWAY_MS = 5

export function sectionRow(
  section: Section,
  {
    startedAt,
    status,
    bar,
    incidents,
  }: { startedAt: number; status: number; bar: Bar; incidents: readonly IncidentAt[] },
): SectionShown {
  const { name, code, cause, simulated, staleAsOf } = section
  const system = section.system ?? ''
  const incident = incidents.find((one) => one.system === system && one.section === name)
  return {
    ...{
      name: sectionWords(system, name).name,
      key: name,
      system: system || 'Forecourt',
      pill: sectionPill(section, status),
    },
    ...{ code: code === null ? null : namedCode(code), ms: took(section.ms), bar },
    cause: [cause, simulated ? 'asked for by X-Sandbox-Fault' : null].filter(Boolean).join('; '),
    age: staleAsOf === null ? '' : lasting(startedAt - staleAsOf),
    incident: code !== null && incident ? `/incidents/${incident.incident_id}` : null,
  }
}

export function callRow(
  call: Call,
  { startedAt, endedMs, bar }: { startedAt: number; endedMs: number; bar: Bar },
): CallShown {
  const sinceMs = call.at - startedAt
  /** Until the answer: what came after is none of its time. */
  const untilMs = Math.max(0, endedMs - sinceMs)
  const words = callWords(call, Math.min(call.queuedMs, untilMs))
  if (call.ms !== null && call.ms > untilMs + LEEWAY_MS) words.push('it ended after the answer')
  return {
    ...{ system: call.system, operation: call.operation, pill: callPill(call), words: words.join(', '), bar },
    ms: call.ms === null ? '–' : tookWords(call, Math.min(call.ms, untilMs)),
    from: sinceMs < -LEEWAY_MS ? 'before it, for another request' : `after ${took(Math.max(0, sinceMs))}`,
  }
}

/** What was never sent took no time of the system's. */
function tookWords({ attempts, outcome }: Call, ms: number): string {
  if (attempts > 0 || outcome === 'ok') return took(ms)
  return ms < 1 ? 'not sent' : `not sent: waited ${took(ms)}`
}

function sectionPill({ name, code, staleAsOf }: Section, status: number): Pill {
  if (code === null) return { tone: 'well', word: 'Well' }
  if (name === 'checkout') return { tone: 'failing', word: status < 500 ? 'Not confirmed' : 'Refused' }
  if (staleAsOf !== null) return { tone: 'warning', word: 'Older values' }
  if (code === 'partial_result') return { tone: 'warning', word: 'Some missing' }
  return code === 'not_configured' ? { tone: '', word: 'Not offered' } : { tone: 'failing', word: 'Missing' }
}

function callPill({ outcome }: Call): Pill {
  if (outcome === 'ok') return { tone: 'well', word: 'Well' }
  return outcome === 'pending' ? { tone: '', word: 'Under way' } : { tone: 'failing', word: 'Failed' }
}
