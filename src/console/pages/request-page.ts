import { listRecordPage, type RequestRecord, readRequestRecords } from '../../diagnostics/reports/request-records.ts'
import { readActiveMode } from '../../diagnostics/reports/section-timeline.ts'
import type { Database } from '../../storage/database.ts'
import { listIncidentsAt } from '../../storage/diagnostics/incident-queries.ts'
import { modes } from '../../tenant.ts'
import type { ConsolePage, TemplateResponse } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { routeChoices } from '../text/route-text.ts'
import { checkMerchantFilter, readMerchantFilter } from './merchant-filter.ts'
import { NO_MERCHANT, readRequestFilter, recordKinds, toRecordListQuery } from './request-filter.ts'
import { toRecentRequestView, toRequestRecordView } from './request-page-view.ts'

const PAGE_SIZE = 50
/** Clients cannot send longer ids. */
const MAX_ID_LENGTH = 200

export interface RequestPageParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

/** Creates the page of one request by its id. Without an id it lists the records that match a filter. */
export function createRequestPage(parts: RequestPageParts): ConsolePage {
  const { db, merchants } = parts
  return {
    method: 'GET',
    path: '/request',
    role: 'support',
    async respond({ query }): Promise<TemplateResponse> {
      const choices = {
        merchants: merchants.all,
        noMerchant: NO_MERCHANT,
        modes,
        kinds: recordKinds,
        routes: routeChoices,
      }
      // No id has spaces, but one that was dictated or copied from a narrow column may.
      const id = (query.get('id') ?? '').replace(/\s+/g, '').slice(0, MAX_ID_LENGTH)
      if (id !== '') {
        const found = (await readRequestRecords(db, id)).filter(({ tenant }) => merchants.shows(tenant))
        const records = await Promise.all(found.map((record) => readRecordView(parts, record)))
        return { template: 'request', title: 'Request', view: { id, records, recent: null, choices } }
      }
      const notFound = query.get('merchant') === NO_MERCHANT ? null : checkMerchantFilter('/request', query, merchants)
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
  const given = readMerchantFilter(query, merchants)
  const isWithoutMerchant = query.get('merchant') === NO_MERCHANT
  const merchant = isWithoutMerchant ? NO_MERCHANT : (given.merchant ?? merchants.all[0]?.merchant ?? '')
  const mode = given.mode ?? (isWithoutMerchant ? 'live' : await readActiveMode(db, merchant, now()))
  const filter = readRequestFilter(query, { merchant, mode }, merchants)
  const cursor = query.get('page') ?? undefined
  const page = await listRecordPage(db, { ...toRecordListQuery(filter), limit: PAGE_SIZE, cursor })
  const toHref = (next: string | null) => next && toPageHref(query, next)
  return {
    filter,
    isFirstPage: page.newer === null,
    latestHref: toPageHref(query, null),
    olderHref: toHref(page.older),
    newerHref: toHref(page.newer),
    rows: page.records.map((record) => toRecentRequestView(record, merchants)),
  }
}

function toPageHref(query: URLSearchParams, cursor: string | null): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  if (cursor !== null) next.set('page', cursor)
  return `/request?${next}`
}
