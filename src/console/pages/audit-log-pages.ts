import type { InvalidLine } from '../../imports/import-report.ts'
import type { Database } from '../../storage/database.ts'
import { type ApiKey, KEY_ID_PATTERN, listApiKeysById } from '../../storage/keys/api-keys.ts'
import { type AuditLogRow, type AuditQuery, COMMAND_LINE, listAuditLog } from '../../storage/operators/audit-log.ts'
import { readShownImports } from '../../storage/operators/import-status.ts'
import { OPERATOR_NAME_PATTERN } from '../../storage/operators/operator-accounts.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toKeyPath } from '../page-paths.ts'
import { describeAuditAction } from '../text/audit-action-text.ts'
import { formatCsv } from '../text/format-csv.ts'
import { formatCount } from '../text/format-numbers.ts'
import { toFailedImportView } from './failed-import-view.ts'
import { readTypedTimeField, type TypedTimeField } from './typed-time-field.ts'

const PAGE_SIZE = 100
const MAX_EXPORTED = 10_000
/** The cursor of the link to older entries. Other values are not looked up: PostgreSQL fails on text that it cannot store. */
const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~(aud_[0-9A-Za-z]{1,40})$/
const ACTION = /^[a-z_-]+(?:\.[a-z_-]+)*$/

export interface AuditLogPageParts {
  db: Database
  merchants: MerchantDirectory
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Creates the page of what operators and commands did, the newest first, filtered by who, what and when, and its exports. */
export const createAuditLogPages = ({ db, merchants, now }: AuditLogPageParts): ConsolePage[] => [
  {
    method: 'GET',
    path: '/audit',
    role: 'support',
    async respond({ query }) {
      const filter = readAuditFilter(query, merchants, now())
      const [, at, entry_id] = CURSOR.exec(query.get('before') ?? '') ?? []
      const before = at && entry_id ? { at, entry_id } : undefined
      const rows = await listAuditLog(db, { ...filter.query, before, limit: PAGE_SIZE + 1 })
      const entries = rows.slice(0, PAGE_SIZE)
      const lastEntry = entries.at(-1)
      const findShownImport = await readShownImports(db)
      const keys = await readKeysOfEntries(db, entries, merchants)
      const view = {
        entries: entries.map((entry) => ({
          ...toEntryView(entry, keys, merchants),
          ...toFailedImportView(entry, findShownImport, merchants),
        })),
        filter: filter.fields,
        isUnreadable: filter.isUnreadable,
        timeZone: merchants.timeZone(null),
        latestHref: toHref('/audit', filter.fields),
        exportHrefs: (['csv', 'json'] as const).map((format) => ({
          format: format.toUpperCase(),
          href: toHref(`/audit/export.${format}`, filter.fields),
        })),
        olderHref:
          rows.length > PAGE_SIZE && lastEntry
            ? toHref('/audit', { ...filter.fields, before: `${lastEntry.at}~${lastEntry.entry_id}` })
            : null,
        isFirstPage: before === undefined,
      }
      return { template: 'audit-log', title: 'Audit', view }
    },
  },
  ...(['csv', 'json'] as const).map(
    (format): ConsolePage => ({
      method: 'GET',
      path: `/audit/export.${format}`,
      role: 'support',
      async respond({ query }) {
        const { query: filter } = readAuditFilter(query, merchants, now())
        const rows = await listAuditLog(db, { ...filter, limit: MAX_EXPORTED })
        const body =
          format === 'json'
            ? `${JSON.stringify(
                rows.map((row) => ({ ...row, target: JSON.parse(row.target) as object })),
                null,
                2,
              )}\n`
            : formatCsv(['at', 'operator', 'role', 'action', 'target', 'outcome', 'address', 'entry_id'], rows)
        return { file: { name: `audit.${format}`, format, body } }
      },
    }),
  ),
]

/** Reads who, what and when. Times are in the time zone of the page. Unreadable values count as none. */
function readAuditFilter(query: URLSearchParams, merchants: MerchantDirectory, now: number) {
  const name = query.get('operator')?.trim().toLowerCase() ?? ''
  const operator = OPERATOR_NAME_PATTERN.test(name) || name === COMMAND_LINE ? name : undefined
  const typedAction = query.get('action')?.trim().toLowerCase() ?? ''
  const action = ACTION.test(typedAction) ? typedAction : undefined
  const zone = merchants.timeZone(null)
  const [from, to] = (['from', 'to'] as const).map((field) => readTypedTimeField(query, zone, now, field)) as [
    TypedTimeField,
    TypedTimeField,
  ]
  const filter: Omit<AuditQuery, 'limit'> = {
    operator,
    action,
    from: toIso(from),
    to: toIso(to),
  }
  const fields = {
    operator: operator ?? '',
    action: action ?? '',
    from: from.at,
    to: to.at,
    zone: from.at || to.at ? zone : '',
  }
  return { query: filter, fields, isUnreadable: from.isUnreadable || to.isUnreadable }
}

const toIso = ({ atMs }: TypedTimeField) => (atMs === null ? undefined : new Date(atMs).toISOString())

function toHref(path: string, fields: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== ''))
  return query.size === 0 ? path : `${path}?${query}`
}

const outcomePills = {
  done: { tone: 'well', text: 'Done' },
  refused: { tone: 'warning', text: 'Refused' },
  failed: { tone: 'failing', text: 'Failed' },
} as const

/** An entry belongs to no merchant, so without the operator's time zone it has the one that all merchants share, or UTC. */
function toEntryView(
  { target, outcome, at, ...entry }: AuditLogRow,
  keys: ReadonlyMap<string, ApiKey>,
  merchants: MerchantDirectory,
) {
  const details = JSON.parse(target) as Record<string, unknown>
  return {
    ...entry,
    title: describeAuditAction(entry.action),
    at: merchants.time(at, null),
    pill: details.outcome === 'refused' ? NOTHING_IMPORTED : outcomePills[outcome],
    ...toTargetView(details, keys),
  }
}

/** The file was read, and has lines that are wrong. */
const NOTHING_IMPORTED = { tone: 'failing', text: 'Nothing imported' } as const

/** The pill says the outcome of an import. */
function toTargetView({ bad, outcome: _, ...target }: Record<string, unknown>, keys: ReadonlyMap<string, ApiKey>) {
  const badLines = readBadLines(bad)
  const unnamed = typeof target.badLines === 'number' ? target.badLines - badLines.length : 0
  return {
    target: Object.entries(target).map(([name, value]) => ({
      name: targetNames[name] ?? name,
      ...toTargetValue(value, keys),
    })),
    badLines,
    unnamedBadLines: badLines.length > 0 && unnamed > 0 ? `and ${formatCount(unnamed, 'more bad line')}` : '',
  }
}

/** A key has its label and a link. */
function toTargetValue(value: unknown, keys: ReadonlyMap<string, ApiKey>) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const key = keys.get(text)
  return key ? { value: key.label === null ? text : `${key.label} (${text})`, href: toKeyPath(text) } : { value: text }
}

/** Reads the keys that entries name, of merchants that pages show. */
async function readKeysOfEntries(
  db: Database,
  entries: readonly AuditLogRow[],
  merchants: MerchantDirectory,
): Promise<ReadonlyMap<string, ApiKey>> {
  const values = entries.flatMap(({ target }) => Object.values(JSON.parse(target) as Record<string, unknown>))
  const ids = new Set(values.filter((value) => typeof value === 'string' && KEY_ID_PATTERN.test(value)))
  const keys = ids.size === 0 ? [] : await listApiKeysById(db, [...ids] as string[])
  return new Map(keys.filter(({ tenant_id }) => merchants.shows(tenant_id)).map((key) => [key.key_id, key]))
}

const targetNames: Readonly<Record<string, string>> = { badLines: 'bad lines', account: 'account of the server' }

/** Reads the bad lines that an import lists; none for other entries. */
const readBadLines = (bad: unknown): InvalidLine[] =>
  Array.isArray(bad) ? (bad as InvalidLine[]).map(({ line, mistake }) => ({ line, mistake })) : []
