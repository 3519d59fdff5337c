import type { RecordKind, RequestRecord } from '../diagnostics/records.ts'
import type { IncidentAt } from '../storage/incidents-at.ts'
import { type CodeWords, codeWords } from './code-words.ts'
import type { Merchants } from './merchants.ts'
import { type Moment, took } from './moments.ts'
import type { Pill } from './now-words.ts'
import { type Bar, barsOf, callWords, type Span, spanOf } from './request-bars.ts'
import { sectionWords } from './section-words.ts'
import { lasting } from './words.ts'

export interface RecordShown {
  requestId: string
  at: Moment
  shop: string
  mode: string
  pill: Pill
  /** All of it in a sentence. */
  sentence: string
  facts: [name: string, value: string][]
  /** Of the problem that was answered. */
  problem: (CodeWords & { code: string }) | null
  wholeMs: string
  deadline: number | null
  sections: SectionShown[]
  calls: CallShown[]
}

interface SectionShown {
  name: string
  key: string
  system: string
  pill: Pill
  code: (CodeWords & { code: string }) | null
  cause: string
  age: string
  ms: string
  bar: Bar
  incident: string | null
}

interface CallShown {
  system: string
  operation: string
  pill: Pill
  words: string
  ms: string
  from: string
  bar: Bar
}

export function recordShown(of: RequestRecord, incidents: readonly IncidentAt[], merchants: Merchants): RecordShown {
  const startedAt = of.at - of.ms
  const sectionSpans = of.sections.map((section): Span => {
    return { fromMs: 0, queuedMs: 0, ms: Math.min(section.ms, of.ms), ok: section.code === null }
  })
  const spans = [...sectionSpans, ...of.calls.map((call) => spanOf(call, startedAt, of.ms))]
  const { bars, deadline, wholeMs } = barsOf(spans, of)
  const bar = (at: number) => bars[at]!
  const incidentOf = (system: string, section: string) =>
    incidents.find((one) => one.system === system && one.section === section)?.incident_id
  return {
    ...{
      requestId: of.requestId,
      at: merchants.moment(of.at, of.tenant),
      shop: merchants.name(of.tenant),
      mode: of.mode,
    },
    ...{
      pill: pills[of.kind],
      sentence: sentenceOf(of),
      facts: factsOf(of),
      problem: (of.code && problemOf(of.code)) || null,
    },
    ...{ wholeMs: took(wholeMs), deadline },
    sections: of.sections.map((section, at) => {
      const system = section.system ?? ''
      const incident = section.code === null ? undefined : incidentOf(system, section.name)
      return {
        ...{ name: sectionWords(system, section.name).name, key: section.name, system: system || 'Forecourt' },
        pill: sectionPill(section),
        code: section.code === null ? null : problemOf(section.code),
        cause: [section.cause, section.simulated ? 'asked for by X-Sandbox-Fault' : null].filter(Boolean).join('; '),
        age: section.staleAsOf === null ? '' : lasting(startedAt - section.staleAsOf),
        ...{ ms: took(section.ms), bar: bar(at), incident: incident ? `/incidents/${incident}` : null },
      }
    }),
    calls: of.calls.map((call, at) => ({
      ...{
        system: call.system,
        operation: call.operation,
        pill: callPill(call.outcome),
        words: callWords(call).join(', '),
      },
      ms: call.ms === null ? '–' : took(call.ms),
      from: call.at < startedAt ? 'before it, for another request' : `after ${took(call.at - startedAt)}`,
      bar: bar(of.sections.length + at),
    })),
  }
}

const problemOf = (code: string) => ({ code, ...codeWords(code) })

const pills: Readonly<Record<RecordKind, Pill>> = {
  degraded: { tone: 'failing', word: 'Degraded' },
  slow: { tone: 'warning', word: 'Slow' },
  refused: { tone: 'warning', word: 'Refused' },
}

function sectionPill({ code, staleAsOf }: RequestRecord['sections'][number]): Pill {
  if (code === null) return { tone: 'well', word: 'Well' }
  if (staleAsOf !== null) return { tone: 'warning', word: 'Older values' }
  if (code === 'partial_result') return { tone: 'warning', word: 'Some missing' }
  return code === 'not_configured' ? { tone: '', word: 'Not offered' } : { tone: 'failing', word: 'Missing' }
}

function callPill(outcome: RequestRecord['calls'][number]['outcome']): Pill {
  if (outcome === 'ok') return { tone: 'well', word: 'Well' }
  return outcome === 'pending' ? { tone: '', word: 'Under way' } : { tone: 'failing', word: 'Failed' }
}

function sentenceOf({ kind, sections, code, status, ms, deadlineMs }: RequestRecord): string {
  const answered = `It was answered with ${status} after ${took(ms)}${deadlineMs === null ? '' : ` of the ${took(deadlineMs)} that there were`}.`
  if (kind === 'refused') return `${answered} ${code ? codeWords(code).means : ''}`.trim()
  const failed = sections.filter((one) => one.code !== null && one.code !== 'not_configured')
  if (failed.length === 0) return answered
  const said = failed.map(({ name, system, code: why, staleAsOf }) => {
    const { name: section } = sectionWords(system ?? '', name)
    return `${section} (${system ?? 'Forecourt'}): ${staleAsOf === null ? '' : 'older values, because of: '}${codeWords(why!).name.toLowerCase()}`
  })
  return `${answered} ${said.join('; ')}.`
}

const cacheWords: Readonly<Record<string, string>> = {
  hit: 'answered from the cache',
  stale: 'answered from the cache, and asked for anew behind',
  miss: 'not in the cache',
  bypass: 'not kept: it was degraded, or is for one reader alone',
  none: 'never cached',
}

const factsOf = (of: RequestRecord): [string, string][] => [
  ['Request', `${of.method} ${of.path}`],
  ['Call', of.route],
  ['Status', String(of.status)],
  ['Cache', cacheWords[of.cache] ?? of.cache],
  ...(of.keyId === null ? [] : ([['Key', of.keyId]] as [string, string][])),
  ['Process', of.process],
]

export interface RecentShown {
  href: string
  requestId: string
  at: Moment
  pill: Pill
  route: string
  status: number
  ms: string
  why: string
}

/** A record in a line. */
export function recentShown(of: RequestRecord, merchants: Merchants): RecentShown {
  const codes = of.code ? [of.code] : of.sections.flatMap(({ code }) => (code === null ? [] : [code]))
  return {
    ...{ href: `/request?${new URLSearchParams({ id: of.requestId })}`, requestId: of.requestId },
    ...{ at: merchants.moment(of.at, of.tenant), pill: pills[of.kind], route: of.route, status: of.status },
    ...{ ms: took(of.ms), why: [...new Set(codes)].map((code) => codeWords(code).name).join(', ') },
  }
}
