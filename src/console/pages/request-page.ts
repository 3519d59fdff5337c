import { readActiveMode } from '../../diagnostics/active-mode.ts'
import {
  listRecentRecords,
  type RecordKind,
  type RequestRecord,
  readRequestRecords,
} from '../../diagnostics/request-records.ts'
import type { Database } from '../../storage/database.ts'
import { listIncidentsAt } from '../../storage/diagnostics/incidents-at.ts'
import type { ConsolePage, TemplateResponse } from '../console-page.ts'
import { type MerchantDirectory, modes, readMerchantFilter } from '../merchant-directory.ts'
import { checkMerchantFilter } from './merchant-filter.ts'
import { toRecentRequestView, toRequestRecordView } from './request-page-view.ts'

const kinds: readonly RecordKind[] = ['degraded', 'slow', 'refused']
const RECENT = 25
/** What is pasted may have a space around it. Longer ids than that are not taken from clients. */
const LONGEST_ID = 200

export interface RequestPageParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

/** What happened to one request, by its id; without one, the latest that were kept of a merchant. */
export function createRequestPage({ db, merchants, now }: RequestPageParts): ConsolePage {
  async function whole(record: RequestRecord) {
    const { tenant, mode, at } = record
    return toRequestRecordView(
      record,
      tenant === null ? [] : await listIncidentsAt(db, { tenant, mode, at }),
      merchants,
    )
  }

  async function recent(query: URLSearchParams) {
    const { merchant, mode } = readMerchantFilter(query, merchants)
    const kind = kinds.find((one) => one === query.get('kind'))
    const asked = {
      merchant: merchant ?? merchants.all[0]?.merchant ?? '',
      kind: kind ?? '',
    }
    const of = { ...asked, mode: mode ?? (await readActiveMode(db, asked.merchant, now())) }
    const found = await listRecentRecords(db, {
      tenant: of.merchant,
      mode: of.mode,
      limit: RECENT,
      ...(kind && { kind }),
    })
    return { chosen: of, recent: found.map((record) => toRecentRequestView(record, merchants)) }
  }

  return {
    ...{ method: 'GET', path: '/request', role: 'support' },
    async answer({ query }): Promise<TemplateResponse> {
      const id = (query.get('id') ?? '').trim().slice(0, LONGEST_ID)
      const missing = id === '' ? checkMerchantFilter('/request', query, merchants) : null
      if (missing) return missing
      const found = id === '' ? [] : await readRequestRecords(db, id)
      const records = await Promise.all(found.map(whole))
      const latest = id === '' ? await recent(query) : null
      const choice = { merchants: merchants.all, modes, kinds }
      return { template: 'request', title: 'Request', view: { id, records, latest, choice } }
    },
  }
}
