import {
  listRecentRecords,
  type RecordKind,
  type RequestRecord,
  readRequestRecords,
} from '../../diagnostics/reports/request-records.ts'
import { readActiveMode } from '../../diagnostics/reports/section-timeline.ts'
import type { Database } from '../../storage/database.ts'
import { listIncidentsAt } from '../../storage/diagnostics/incident-queries.ts'
import { modes } from '../../tenant.ts'
import type { ConsolePage, TemplateResponse } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { checkMerchantFilter, readMerchantFilter } from './merchant-filter.ts'
import { toRecentRequestView, toRequestRecordView } from './request-page-view.ts'

const kinds: readonly RecordKind[] = ['degraded', 'slow', 'refused']
const MAX_RECENT_RECORDS = 25
/** Clients cannot send longer ids. */
const MAX_ID_LENGTH = 200

export interface RequestPageParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

/** Creates the page of one request by its id. Without an id it lists the latest records of a merchant. */
export function createRequestPage(parts: RequestPageParts): ConsolePage {
  const { db, merchants } = parts
  return {
    method: 'GET',
    path: '/request',
    role: 'support',
    async respond({ query }): Promise<TemplateResponse> {
      const choices = { merchants: merchants.all, modes, kinds }
      // A pasted id may have spaces around it.
      const id = (query.get('id') ?? '').trim().slice(0, MAX_ID_LENGTH)
      if (id !== '') {
        const found = await readRequestRecords(db, id)
        const records = await Promise.all(found.map((record) => readRecordView(parts, record)))
        return { template: 'request', title: 'Request', view: { id, records, recent: null, choices } }
      }
      const notFound = checkMerchantFilter('/request', query, merchants)
      if (notFound) return notFound
      const recent = await readRecent(parts, query)
      return { template: 'request', title: 'Request', view: { id, records: [], recent, choices } }
    },
  }
}

async function readRecordView({ db, merchants }: RequestPageParts, record: RequestRecord) {
  const { tenant, mode, at } = record
  const incidents = tenant === null ? [] : await listIncidentsAt(db, { merchant: tenant, mode }, at)
  return toRequestRecordView(record, incidents, merchants)
}

async function readRecent({ db, merchants, now }: RequestPageParts, query: URLSearchParams) {
  const filter = readMerchantFilter(query, merchants)
  const merchant = filter.merchant ?? merchants.all[0]?.merchant ?? ''
  const mode = filter.mode ?? (await readActiveMode(db, merchant, now()))
  const kind = kinds.find((known) => known === query.get('kind'))
  const records = await listRecentRecords(db, {
    merchant,
    mode,
    limit: MAX_RECENT_RECORDS,
    ...(kind && { kind }),
  })
  return {
    filter: { merchant, mode, kind: kind ?? '' },
    rows: records.map((record) => toRecentRequestView(record, merchants)),
  }
}
