import { type AuditRow, listAudit } from '../storage/audit.ts'
import type { Database } from '../storage/database.ts'
import { OPERATOR_NAME } from '../storage/operators.ts'
import type { ConsolePage } from './page.ts'

const PAGE = 100
/** Of an entry, as a link to what is older says it; a store must not be asked for anything else. */
const BEFORE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(aud_[0-9A-Za-z]{1,40})$/

/** What operators did, and when they came: the newest first. */
export const auditPage = ({ db }: { db: Database }): ConsolePage => ({
  ...{ method: 'GET', path: '/audit', role: 'support' },
  async answer({ query }) {
    const asked = query.get('operator')?.trim().toLowerCase() ?? ''
    const operator = OPERATOR_NAME.test(asked) || asked === 'command line' ? asked : undefined
    const [, at, entry_id] = BEFORE.exec(query.get('before') ?? '') ?? []
    const before = at && entry_id ? { at, entry_id } : undefined
    const rows = await listAudit(db, { operator, before, limit: PAGE + 1 })
    const entries = rows.slice(0, PAGE)
    const last = entries.at(-1)
    const older = rows.length > PAGE && last ? olderThan(last, operator) : null
    const view = { entries: entries.map(entryView), operator: operator ?? '', older, first: before === undefined }
    return { template: 'audit', title: 'Audit', view }
  },
})

function olderThan({ at, entry_id }: AuditRow, operator: string | undefined): string {
  const query = new URLSearchParams({ ...(operator && { operator }), before: `${at}~${entry_id}` })
  return `/audit?${query}`
}

const outcomes = {
  done: { tone: 'well', word: 'Done' },
  refused: { tone: 'warning', word: 'Refused' },
  failed: { tone: 'failing', word: 'Failed' },
} as const

const entryView = ({ target, outcome, ...entry }: AuditRow) => ({
  ...entry,
  pill: outcomes[outcome],
  target: Object.entries(JSON.parse(target) as Record<string, unknown>).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
})
