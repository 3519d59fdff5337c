import { type AuditRow, listAudit } from '../../storage/operators/audit-log.ts'
import { OPERATOR_NAME } from '../../storage/operators/operator-accounts.ts'
import type { Merchants } from '../merchant-directory.ts'
import type { ConsolePage, Shown, Visit } from '../console-page.ts'
import type { Seen } from '../page-list.ts'
import { merchantsOf } from './webhook-page-view.ts'

const PAGE = 100
/** Of an entry, as a link to what is older says it; a store must not be asked for anything else. */
const BEFORE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(aud_[0-9A-Za-z]{1,40})$/

/** What operators did, and when they came: the newest first. */
export function auditPage(seen: Pick<Seen, 'db' | 'merchants' | 'now'>): ConsolePage {
  const { db } = seen
  const merchants = merchantsOf(seen)

  async function answer({ query }: Visit): Promise<Shown> {
    const asked = query.get('operator')?.trim().toLowerCase() ?? ''
    const operator = OPERATOR_NAME.test(asked) || asked === 'command line' ? asked : undefined
    const [, at, entry_id] = BEFORE.exec(query.get('before') ?? '') ?? []
    const before = at && entry_id ? { at, entry_id } : undefined
    const rows = await listAudit(db, { operator, before, limit: PAGE + 1 })
    const entries = rows.slice(0, PAGE)
    const last = entries.at(-1)
    const older = rows.length > PAGE && last ? olderThan(last, operator) : null
    const view = {
      entries: entries.map((one) => entryView(one, merchants)),
      operator: operator ?? '',
      older,
      first: before === undefined,
    }
    return { template: 'audit-log', title: 'Audit', view }
  }

  return { ...{ method: 'GET', path: '/audit', role: 'support' }, answer }
}

function olderThan({ at, entry_id }: AuditRow, operator: string | undefined): string {
  const query = new URLSearchParams({ ...(operator && { operator }), before: `${at}~${entry_id}` })
  return `/audit?${query}`
}

const outcomes = {
  done: { tone: 'well', word: 'Done' },
  refused: { tone: 'warning', word: 'Refused' },
  failed: { tone: 'failing', word: 'Failed' },
} as const

/** What was done may be of any merchant's, or of none. */
const entryView = ({ target, outcome, at, ...entry }: AuditRow, merchants: Merchants) => ({
  ...{ ...entry, at: merchants.moment(at, null) },
  pill: outcomes[outcome],
  target: Object.entries(JSON.parse(target) as Record<string, unknown>).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
})
