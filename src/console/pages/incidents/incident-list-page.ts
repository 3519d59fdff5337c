import type { MerchantConfig } from '../../../config/merchant-config.ts'
import { type IncidentQuery, listIncidents } from '../../../diagnostics/reports/incidents.ts'
import { completeOutages } from '../../../diagnostics/reports/outage-incidents.ts'
import { groupOutages } from '../../../diagnostics/reports/outages.ts'
import { listIncidentCare } from '../../../storage/diagnostics/incident-notes.ts'
import { listOutageNotices } from '../../../storage/diagnostics/outage-notices.ts'
import { modes } from '../../../tenant.ts'
import type { ConsolePage, RedirectResponse, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { STALE_VALUE_HINT } from '../../text/stale-value-text.ts'
import { checkMerchantFilter, readMerchantFilter } from '../merchant-filter.ts'
import type { MirrorPageParts } from '../mirrors/mirror-page.ts'
import { listLateMirrors } from '../mirrors/mirror-warnings.ts'
import { ALL_MERCHANTS } from '../requests/request-filter.ts'
import { readTimeWindow } from '../time-window.ts'
import { redirectToDatedTime } from '../typed-time-field.ts'
import { readFailuresBesideIncidents } from './failures-beside-incidents-view.ts'
import { readOrderEvidence } from './incident-order-evidence.ts'
import type { IncidentPageParts } from './incident-page.ts'
import { findNearestToTime } from './nearest-to-time.ts'
import { toOutageNoticeView } from './outage-notice-view.ts'
import { toOutageView } from './outage-view.ts'
import { readRefusedKeyIncidentNames } from './refused-key-incident-names.ts'

const PAGE_SIZE = 50
const MAX_NOTICES = 10

/** The mirrors of this machine that are not current are listed with the incidents of a time. */
export interface IncidentListParts extends Omit<IncidentPageParts, 'upstreams'> {
  store: MirrorPageParts['store']
  mirrors: MirrorPageParts['mirrors']
  configuredMerchants: readonly MerchantConfig[]
  machine: string
}

/** Creates the list of incidents of all merchants or of one, the latest first. */
export function createIncidentListPage(parts: IncidentListParts): ConsolePage {
  const { db, merchants, now } = parts
  return {
    method: 'GET',
    path: '/incidents',
    role: 'support',
    isLive: true,
    async respond({ query }): Promise<TemplateResponse | RedirectResponse> {
      const notFound = checkMerchantFilter('/incidents', query, merchants)
      if (notFound) return notFound
      const filter = readIncidentFilter(query, merchants, now())
      if (filter.dated !== null) return redirectToDatedTime('/incidents', query, filter.dated)
      const listed = filter.merchant === null ? merchants.inOneTimeZone : merchants
      const { incidents, next } = await listIncidents(db, {
        ...toIncidentQuery(query, filter),
        merchants: merchants.ids,
      })
      // If a period contains a part of an outage, the whole outage is shown, unless the list is filtered by state.
      const isPart = filter.during !== null && !filter.state
      const outages = isPart ? await completeOutages(db, incidents) : groupOutages(incidents)
      const shown = outages.flatMap((outage) => outage.incidents)
      const care = await listIncidentCare(
        db,
        shown.map(({ incidentId }) => incidentId),
      )
      const keyNames = await readRefusedKeyIncidentNames(db, shown)
      const orders = await readOrderEvidence(db, shown, listed)
      const lateMirrors = listLateMirrors(parts.mirrors, parts.configuredMerchants, now())
      const events = await readFailuresBesideIncidents(
        {
          ...{ db, mirrors: parts.mirrors, lateMirrors, machine: parts.machine },
          ...{ storeOutage: parts.store.outage, now: now() },
        },
        filter,
        listed,
      )
      const view = {
        filter,
        nearest: findNearestToTime(filter.during, outages, events),
        requestsHref: toRequestsHref(filter),
        choices: { merchants: merchants.all, modes },
        olderValueHint: STALE_VALUE_HINT,
        isFirstPage: !query.has('before'),
        outages: outages.map((outage) => toOutageView(outage, { care, orders, keyNames }, listed, now())),
        olderHref: next && toOlderHref(query, next),
        events,
        notices: (await listOutageNotices(db, MAX_NOTICES)).map((row) => toOutageNoticeView(row, merchants)),
      }
      return { template: 'incidents', title: 'Incidents', view }
    },
  }
}

function readIncidentFilter(query: URLSearchParams, merchants: MerchantDirectory, now: number) {
  const { merchant, mode } = readMerchantFilter(query, merchants)
  const timeZone = merchants.timeZone(merchant)
  return { merchant, mode, state: query.get('state'), timeZone, ...readTimeWindow(query, timeZone, now) }
}

function toIncidentQuery(
  query: URLSearchParams,
  { merchant, mode, state, during }: ReturnType<typeof readIncidentFilter>,
): IncidentQuery {
  return {
    limit: PAGE_SIZE,
    ...(during && { during }),
    ...(merchant && { merchant }),
    ...(mode && { mode }),
    ...(state === 'open' && { open: true }),
    ...(state === 'over' && { open: false }),
    ...(query.get('before') && { before: query.get('before')! }),
  }
}

/** Returns the address of the list of requests of the same merchants, modes and time. */
function toRequestsHref({ merchant, mode, at, minutes, timeZone }: ReturnType<typeof readIncidentFilter>): string {
  const time = at === '' ? {} : { at, within: String(minutes), zone: timeZone }
  return `/request?${new URLSearchParams({ merchant: merchant ?? ALL_MERCHANTS, ...(mode && { mode }), ...time })}`
}

function toOlderHref(query: URLSearchParams, before: string): string {
  const older = new URLSearchParams(query)
  older.set('before', before)
  return `/incidents?${older}`
}
