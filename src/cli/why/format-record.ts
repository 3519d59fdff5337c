import type { RequestRecordView } from '../../console/pages/requests/request-page-view.ts'
import type { CallRowView, SectionRowView } from '../../console/pages/requests/section-and-call-row-views.ts'
import { escapeControlCharacters } from '../escape-control-characters.ts'
import { formatTable } from '../table.ts'

/** Returns a record without what only a page draws. */
export const withoutBars = ({
  scale: _,
  deadline: __,
  storeIncidentHref: ___,
  keyHref: ____,
  isOfDemoShop: _____,
  sections,
  calls,
  ...record
}: RequestRecordView) => ({
  ...record,
  sections: sections.map(({ bar: _, ...section }) => section),
  calls: calls.map(({ bar: _, ...call }) => call),
})

/** Formats a record as lines of text: what the page of the request says, in its order. Clients and systems wrote some of it. */
export const formatRecord = (record: RequestRecordView, width = Infinity): string[] =>
  toLines(record, width).map(escapeControlCharacters)

function toLines(record: RequestRecordView, width: number): string[] {
  const { pill, merchantName, mode, at, timeZone, summary, facts, problem, problemCause, sections, calls } = record
  const contacts = record.whomToCall.flatMap(formatContact)
  return [
    `${pill.text}: ${merchantName} (${mode}), ${at.text}${at.text.endsWith(timeZone) ? '' : ` (${timeZone})`}`,
    summary,
    '',
    ...formatFacts(facts),
    ...(problem ? ['', ...formatProblem(problem, problemCause)] : []),
    ...(contacts.length > 0 ? ['', ...contacts] : []),
    ...(sections.length > 0 ? ['', ...formatSections(sections, width)] : []),
    '',
    ...(calls.length > 0 ? formatCalls(calls, width) : ['No calls were made for this request.']),
  ]
}

function formatFacts(facts: RequestRecordView['facts']): string[] {
  const nameWidth = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, value]) => `${name.padEnd(nameWidth)}  ${value}`)
}

/** Nothing where nobody is configured. */
const formatContact = ({ about, contact }: RequestRecordView['whomToCall'][number]): string[] =>
  contact
    ? [`Whom to call about ${about}: ${[contact.name, contact.phone, contact.url].filter(Boolean).join(', ')}`]
    : []

const formatProblem = ({ code, meaning, advice }: NonNullable<RequestRecordView['problem']>, cause: string | null) => [
  `Problem ${code}: ${meaning}`,
  ...(cause ? [`Cause: ${cause}`] : []),
  ...(advice ? [`What to check: ${advice}`] : []),
]

const formatSections = (sections: readonly SectionRowView[], width: number) =>
  formatTable(
    ['SECTION', 'SYSTEM', 'STATE', 'DURATION', 'REASON'],
    sections.map((section) => {
      const { name, key, system, pill, staleAge, duration } = section
      return [
        `${name} (${key})`,
        system,
        staleAge ? `${pill.text}, ${staleAge} old` : pill.text,
        duration,
        toReason(section),
      ]
    }),
    width,
  )

function toReason({ code, failure, cause, incidentHref }: SectionRowView): string {
  if (!code) return '-'
  const lines = [
    failure,
    `${code.name} (${code.code})`,
    cause,
    code.advice,
    incidentHref && `Incident: ${incidentHref} on the operations pages`,
  ]
  return lines.filter(Boolean).join('\n')
}

const formatCalls = (calls: readonly CallRowView[], width: number) =>
  formatTable(
    ['CALL', 'STATE', 'DURATION', 'START', 'DETAILS'],
    calls.map(({ system, operation, pill, duration, start, details }) => [
      `${system} ${operation}`,
      pill.text,
      duration,
      start,
      details || '-',
    ]),
    width,
  )
