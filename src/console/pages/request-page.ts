import { type RecordKind, type RequestRecord, recentRecords, recordsOf } from '../../diagnostics/request-records.ts'
import { usedMode } from '../../diagnostics/active-mode.ts'
import type { Database } from '../../storage/database.ts'
import { incidentsAt } from '../../storage/diagnostics/incidents-at.ts'
import { chosenMerchant, type Merchants, modes } from '../merchant-directory.ts'
import { notThere } from './merchant-filter.ts'
import type { ConsolePage, Shown } from '../console-page.ts'
import { recentShown, recordShown } from './request-page-view.ts'

const kinds: readonly RecordKind[] = ['degraded', 'slow', 'refused']
const RECENT = 25
/** What is pasted may have a space around it. Longer ids than that are not taken from clients. */
const LONGEST_ID = 200

export interface RequestPageParts {
  db: Database
  merchants: Merchants
  now: () => number
}

/** What happened to one request, by its id; without one, the latest that were kept of a merchant. */
export function requestPage({ db, merchants, now }: RequestPageParts): ConsolePage {
  async function whole(record: RequestRecord) {
    const { tenant, mode, at } = record
    return recordShown(record, tenant === null ? [] : await incidentsAt(db, { tenant, mode, at }), merchants)
  }

  async function recent(query: URLSearchParams) {
    const { merchant, mode } = chosenMerchant(query, merchants)
    const kind = kinds.find((one) => one === query.get('kind'))
    const asked = {
      merchant: merchant ?? merchants.all[0]?.merchant ?? '',
      kind: kind ?? '',
    }
    const of = { ...asked, mode: mode ?? (await usedMode(db, asked.merchant, now())) }
    const found = await recentRecords(db, { tenant: of.merchant, mode: of.mode, limit: RECENT, ...(kind && { kind }) })
    return { chosen: of, recent: found.map((record) => recentShown(record, merchants)) }
  }

  return {
    ...{ method: 'GET', path: '/request', role: 'support' },
    async answer({ query }): Promise<Shown> {
      const id = (query.get('id') ?? '').trim().slice(0, LONGEST_ID)
      const missing = id === '' ? notThere('/request', query, merchants) : null
      if (missing) return missing
      const found = id === '' ? [] : await recordsOf(db, id)
      const records = await Promise.all(found.map(whole))
      const latest = id === '' ? await recent(query) : null
      const choice = { merchants: merchants.all, modes, kinds }
      return { template: 'request', title: 'Request', view: { id, records, latest, choice } }
    },
  }
}
