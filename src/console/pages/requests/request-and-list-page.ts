import { readActiveMode } from '../../../diagnostics/reports/read-active-mode.ts'
import { listRecordPage, type RequestRecord } from '../../../diagnostics/reports/request-records.ts'
import type { Database } from '../../../storage/database.ts'
import {
  listStoreIncidents,
  pickIncidentsAt,
  type StoreIncident,
} from '../../../storage/diagnostics/incident-queries.ts'
import { modes } from '../../../tenant.ts'
import type { ConsolePage, RedirectResponse, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { routeChoices } from '../../text/route-text.ts'
import { describeSharedId } from '../../text/shared-request-id-text.ts'
import { unrecordedRequestText } from '../../text/unrecorded-request-text.ts'
import { checkMerchantFilter, readMerchantFilter } from '../merchant-filter.ts'
import { redirectToDatedTime } from '../typed-time-field.ts'
import { normalizeRequestId, readRequestViewsWithId } from './read-request-views-with-id.ts'
import { toRecentRequestView } from './recent-request-view.ts'
import {
  ALL_MERCHANTS,
  describeRequestFilter,
  NO_MERCHANT,
  type RequestFilter,
  readRequestFilter,
  recordKinds,
  toRecordListQuery,
} from './request-filter.ts'

const PAGE_SIZE = 50

export interface RequestAndListPageParts {
  db: Database
  merchants: MerchantDirectory
  now: () => number
}

/** Creates the page of one request by its id. Without an id it lists the records that match a filter. */
export function createRequestAndListPage(parts: RequestAndListPageParts): ConsolePage {
  const { db, merchants } = parts
  return {
    method: 'GET',
    path: '/request',
    role: 'support',
    async respond({ query }): Promise<TemplateResponse | RedirectResponse> {
      const choices = {
        merchants: merchants.all,
        noMerchant: NO_MERCHANT,
        allMerchants: ALL_MERCHANTS,
        modes,
        kinds: recordKinds,
        routes: routeChoices,
      }
      const texts = { unrecorded: unrecordedRequestText, describeSharedId }
      const id = normalizeRequestId(query.get('id') ?? '')
      if (id !== '') {
        const records = await readRequestViewsWithId({ db, merchants }, id)
        return { template: 'request', title: 'Request', view: { id, records, recent: null, choices, texts } }
      }
      const notFound = readGroup(query) === null ? checkMerchantFilter('/request', query, merchants) : null
      if (notFound) return notFound
      const filter = await readFilter(parts, query)
      if (filter.dated !== null) return redirectToDatedTime('/request', query, filter.dated)
      const recent = await readRecent(parts, query, filter)
      return { template: 'request', title: 'Request', view: { id, records: [], recent, choices, texts } }
    },
  }
}

async function readFilter(
  { db, merchants, now }: RequestAndListPageParts,
  query: URLSearchParams,
): Promise<RequestFilter> {
  const given = readMerchantFilter(query, merchants)
  const group = readGroup(query)
  const merchant = group ?? given.merchant ?? chooseUsualMerchant(merchants)
  const usual = group === NO_MERCHANT ? 'live' : ''
  const isOne = merchant !== ALL_MERCHANTS && merchant !== NO_MERCHANT
  const mode = given.mode ?? (isOne ? await readActiveMode(db, merchant, now()) : usual)
  return readRequestFilter(query, { merchant, mode }, toListed(merchant, merchants), now())
}

/** More are not listed unless somebody chooses to: each is a query. */
const MAX_USUAL_MERCHANTS = 10

/** A caller who names a time seldom names a merchant. */
const chooseUsualMerchant = ({ all }: MerchantDirectory): string =>
  all.length > 1 && all.length <= MAX_USUAL_MERCHANTS ? ALL_MERCHANTS : (all[0]?.merchant ?? '')

const toListed = (merchant: string, merchants: MerchantDirectory): MerchantDirectory =>
  merchant === ALL_MERCHANTS ? merchants.inOneTimeZone : merchants

async function readRecent({ db, merchants }: RequestAndListPageParts, query: URLSearchParams, filter: RequestFilter) {
  const { merchant, mode } = filter
  const listed = toListed(merchant, merchants)
  const cursor = query.get('page') ?? undefined
  const page = await listRecordPage(db, { ...toRecordListQuery(filter, merchants), limit: PAGE_SIZE, cursor })
  const outages = await readStoreOutages(db, page.records)
  const toHref = (next: string | null) => next && toPageHref(query, next)
  return {
    filter,
    shown: describeRequestFilter(filter, listed),
    isFirstPage: page.newer === null,
    allHref: `/request?${new URLSearchParams({ merchant, mode })}`,
    latestHref: toPageHref(query, null),
    olderHref: toHref(page.older),
    newerHref: toHref(page.newer),
    rows: page.records.map((record) =>
      toRecentRequestView(record, isOfStore(record) ? pickIncidentsAt(outages, record.at) : [], listed),
    ),
  }
}

/** Returns the choice that is no merchant; `null`: one merchant is chosen, or nothing. */
const readGroup = (query: URLSearchParams): string | null =>
  [NO_MERCHANT, ALL_MERCHANTS].find((group) => group === query.get('merchant')) ?? null

const isOfStore = ({ tenant, code }: RequestRecord) => tenant !== null && code === 'store_unavailable'

/** Reads the incidents of the store during these requests. Only such an incident says why the store failed. */
async function readStoreOutages(db: Database, records: readonly RequestRecord[]): Promise<StoreIncident[]> {
  const times = records.filter(isOfStore).map(({ at }) => at)
  return times.length === 0 ? [] : listStoreIncidents(db, { from: Math.min(...times), to: Math.max(...times) })
}

function toPageHref(query: URLSearchParams, cursor: string | null): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  if (cursor !== null) next.set('page', cursor)
  return `/request?${next}`
}
