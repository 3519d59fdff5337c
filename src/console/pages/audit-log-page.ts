import type { Database } from '../../storage/database.ts'
import { type AuditLogRow, listAuditLog } from '../../storage/operators/audit-log.ts'
import { OPERATOR_NAME_PATTERN } from '../../storage/operators/operator-accounts.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'

const PAGE_SIZE = 100
/** The cursor of the link to older entries. Other values are not looked up: PostgreSQL fails on text that it cannot store. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(aud_[0-9A-Za-z]{1,40})$/

export interface AuditLogPageParts {
  db: Database
  merchants: MerchantDirectory
}

/** Creates the page of operators' actions and sign-ins, the newest first. */
export function createAuditLogPage({ db, merchants }: AuditLogPageParts): ConsolePage {
  return {
    method: 'GET',
    path: '/audit',
    role: 'support',
    async respond({ query }) {
      const name = query.get('operator')?.trim().toLowerCase() ?? ''
      const operator = OPERATOR_NAME_PATTERN.test(name) || name === 'command line' ? name : undefined
      const [, at, entry_id] = CURSOR.exec(query.get('before') ?? '') ?? []
      const before = at && entry_id ? { at, entry_id } : undefined
      const rows = await listAuditLog(db, { operator, before, limit: PAGE_SIZE + 1 })
      const entries = rows.slice(0, PAGE_SIZE)
      const lastEntry = entries.at(-1)
      const view = {
        entries: entries.map((entry) => toEntryView(entry, merchants)),
        operator: operator ?? '',
        olderHref: rows.length > PAGE_SIZE && lastEntry ? toOlderHref(lastEntry, operator) : null,
        isFirstPage: before === undefined,
      }
      return { template: 'audit-log', title: 'Audit', view }
    },
  }
}

function toOlderHref({ at, entry_id }: AuditLogRow, operator: string | undefined): string {
  const query = new URLSearchParams({ ...(operator && { operator }), before: `${at}~${entry_id}` })
  return `/audit?${query}`
}

const outcomePills = {
  done: { tone: 'well', text: 'Done' },
  refused: { tone: 'warning', text: 'Refused' },
  failed: { tone: 'failing', text: 'Failed' },
} as const

/** An entry belongs to no merchant, so its time is in the time zone that all merchants share, or in UTC. */
const toEntryView = ({ target, outcome, at, ...entry }: AuditLogRow, merchants: MerchantDirectory) => ({
  ...entry,
  at: merchants.time(at, null),
  pill: outcomePills[outcome],
  target: Object.entries(JSON.parse(target) as Record<string, unknown>).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
})
