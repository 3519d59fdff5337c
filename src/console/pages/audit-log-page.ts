import { type AuditLogRow, listAuditLog } from '../../storage/operators/audit-log.ts'
import { OPERATOR_NAME_PATTERN } from '../../storage/operators/operator-accounts.ts'
import type { ConsolePage, ConsoleRequest, TemplateResponse } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import type { ConsolePagesParts } from '../page-list.ts'
import { toMerchantDirectory } from './webhook-page-view.ts'

const PAGE = 100
/** Of an entry, as a link to what is older says it; a store must not be asked for anything else. */
const BEFORE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(aud_[0-9A-Za-z]{1,40})$/

/** What operators did, and when they came: the newest first. */
export function createAuditLogPage(seen: Pick<ConsolePagesParts, 'db' | 'merchants' | 'now'>): ConsolePage {
  const { db } = seen
  const merchants = toMerchantDirectory(seen)

  async function answer({ query }: ConsoleRequest): Promise<TemplateResponse> {
    const asked = query.get('operator')?.trim().toLowerCase() ?? ''
    const operator = OPERATOR_NAME_PATTERN.test(asked) || asked === 'command line' ? asked : undefined
    const [, at, entry_id] = BEFORE.exec(query.get('before') ?? '') ?? []
    const before = at && entry_id ? { at, entry_id } : undefined
    const rows = await listAuditLog(db, { operator, before, limit: PAGE + 1 })
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

function olderThan({ at, entry_id }: AuditLogRow, operator: string | undefined): string {
  const query = new URLSearchParams({ ...(operator && { operator }), before: `${at}~${entry_id}` })
  return `/audit?${query}`
}

const outcomes = {
  done: { tone: 'well', word: 'Done' },
  refused: { tone: 'warning', word: 'Refused' },
  failed: { tone: 'failing', word: 'Failed' },
} as const

/** What was done may be of any merchant's, or of none. */
const entryView = ({ target, outcome, at, ...entry }: AuditLogRow, merchants: MerchantDirectory) => ({
  ...{ ...entry, at: merchants.moment(at, null) },
  pill: outcomes[outcome],
  target: Object.entries(JSON.parse(target) as Record<string, unknown>).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  })),
})
