import type { MerchantConfig } from '../../config/merchant-config.ts'
import { findLaterIncident } from '../../diagnostics/reports/find-later-incident.ts'
import { findIncident } from '../../diagnostics/reports/incident-detail.ts'
import { type Incident, type IncidentQuery, listIncidents } from '../../diagnostics/reports/incidents.ts'
import { completeOutages } from '../../diagnostics/reports/outage-incidents.ts'
import { groupOutages } from '../../diagnostics/reports/outages.ts'
import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import { toSectionCircuit } from '../../diagnostics/section-circuit.ts'
import { isKeyIncident, readRefusedKeys } from '../../diagnostics/status/read-refused-keys.ts'
import type { Database } from '../../storage/database.ts'
import { listIncidentCare, listIncidentNotes } from '../../storage/diagnostics/incident-notes.ts'
import { listOutageNotices } from '../../storage/diagnostics/outage-notices.ts'
import { listOperators } from '../../storage/operators/operator-accounts.ts'
import { modes } from '../../tenant.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { ConsolePage, RedirectResponse, TemplateResponse } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { adviseOnAffectedShoppers } from '../text/affected-shopper-advice-text.ts'
import { concernsForecourt } from '../text/failure-advice-text.ts'
import { findWorkedAt } from '../text/incident-end-text.ts'
import { describeCircuit } from '../text/section-text.ts'
import { STALE_VALUE_HINT } from '../text/stale-value-text.ts'
import { callAboutForecourt, callAboutMerchant, callAboutSystem, type WhomToCall } from '../whom-to-call.ts'
import { createCircuitPathLookup } from './circuit-page-path.ts'
import { readFailuresBesideIncidents } from './failures-beside-incidents-view.ts'
import { MAX_NOTE_LENGTH } from './incident-actions.ts'
import { readCalledOperations } from './incident-called-operations.ts'
import { toIncidentCareView } from './incident-care-view.ts'
import { readIncidentImpact } from './incident-impact-view.ts'
import { readIncidentMirror } from './incident-mirror-view.ts'
import { readOrderEvidence, toOrderEvidence } from './incident-order-evidence.ts'
import { readIncidentOutage } from './incident-outage-view.ts'
import { toIncidentPageView } from './incident-page-view.ts'
import { checkMerchantFilter, readMerchantFilter } from './merchant-filter.ts'
import type { MirrorPageParts } from './mirror-page.ts'
import { listLateMirrors } from './mirror-warnings.ts'
import { toOutageNoticeView } from './outage-notice-view.ts'
import { toOutageView } from './outage-view.ts'
import { readRefusedKeyIncidentNames } from './refused-key-incident-names.ts'
import { toRefusedKeyView } from './refused-key-view.ts'
import { ALL_MERCHANTS } from './request-filter.ts'
import { readTimeWindow } from './time-window.ts'
import { redirectToDatedTime } from './typed-time-field.ts'

const PAGE_SIZE = 50
const MAX_NOTICES = 10

export interface IncidentPagesParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: MerchantDirectory
  now: () => number
}

/** The mirrors of this machine that are not current are listed with the incidents of a time. */
export interface IncidentListParts extends IncidentPagesParts {
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
      // A period may have only a part of an outage. It is shown whole, unless only ongoing or only ended incidents are.
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
      const view = {
        filter,
        requestsHref: toRequestsHref(filter),
        choices: { merchants: merchants.all, modes },
        olderValueHint: STALE_VALUE_HINT,
        isFirstPage: !query.has('before'),
        outages: outages.map((outage) => toOutageView(outage, { care, orders, keyNames }, listed, now())),
        olderHref: next && toOlderHref(query, next),
        events: await readFailuresBesideIncidents(
          {
            ...{ db, mirrors: parts.mirrors, lateMirrors, machine: parts.machine },
            ...{ storeOutage: parts.store.outage, now: now() },
          },
          filter,
          listed,
        ),
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

/** Creates the page of one incident with its codes, sample requests and circuit changes. */
export function createIncidentPage({ db, upstreams, merchants, now }: IncidentPagesParts): ConsolePage {
  return {
    method: 'GET',
    path: '/incidents/:id',
    role: 'support',
    isLive: true,
    async respond({ params, origin }): Promise<TemplateResponse> {
      const incident = await findIncident(db, params.id!)
      if (!incident || !merchants.shows(incident.tenant))
        return { template: 'incident-not-found', title: 'No such incident', view: {}, status: 404 }
      const { tenant, mode } = incident
      const circuit = toSectionCircuit(incident)
      const circuitHref = createCircuitPathLookup(upstreams)({ merchant: tenant, mode, circuit })
      const [key] = await readRefusedKeys(db, [toKeyIncident(incident)], now())
      const impact = await readIncidentImpact(db, incident, merchants)
      const orders = toOrderEvidence(incident, impact?.orderLinks ?? [])
      const waits = impact !== null && impact.adviceFacts.pendingCount > 0
      const orderFailedAt = waits && orders.placedAt === null ? orders.failedAt : null
      const later =
        incident.endedAt === null || incident.causes.length === 0
          ? null
          : await findLaterIncident(db, incident, findWorkedAt(incident, orders) ?? incident.lastAt)
      const page = toIncidentPageView(incident, circuitHref, merchants, now(), { orders, orderFailedAt, later })
      const notes = await listIncidentNotes(db, incident.incidentId)
      const view = Object.assign(page, {
        section: (await readRefusedKeyIncidentNames(db, [incident])).get(incident.incidentId) ?? page.section,
        circuitName: nameSystem(circuit),
        calledOperations: incident.causes.length > 0 ? await readCalledOperations(db, incident) : '',
        circuitNote: describeCircuit(circuit),
        shareUrl: `${origin}${page.href}`,
        impact,
        outage: await readIncidentOutage(db, incident, merchants, now()),
        advice: impact ? adviseOnAffectedShoppers({ ...impact.adviceFacts, isOngoing: isOpen(later ?? incident) }) : [],
        care: toIncidentCareView(notes, tenant, merchants),
        operators: await listAssignees(db),
        mirror: await readIncidentMirror(db, incident, merchants),
        whomToCall: toWhomToCall(incident, merchants),
        maxNoteLength: MAX_NOTE_LENGTH,
        refusedKey: key ? toRefusedKeyView(key, merchants) : null,
      })
      return { template: 'incident', title: `${view.section}, ${view.merchantName}`, view }
    },
  }
}

const isOpen = ({ endedAt }: Incident) => endedAt === null

function toWhomToCall(incident: Incident, merchants: MerchantDirectory): WhomToCall[] {
  const { tenant, mode, system, causes } = incident
  const forecourt = callAboutForecourt(merchants)
  if (isKeyIncident(incident)) return [callAboutMerchant(merchants, tenant), forecourt]
  if (system === '') return [forecourt]
  const isForecourtAsked = causes.some(({ kind }) => concernsForecourt(kind))
  return [callAboutSystem(merchants, { merchant: tenant, mode }, system), ...(isForecourtAsked ? [forecourt] : [])]
}

const listAssignees = async (db: Database) =>
  (await listOperators(db)).filter(({ disabled_at }) => disabled_at === null).map(({ name }) => name)

const toKeyIncident = ({ incidentId, system, section, lastAt, answers }: Incident) => ({
  incident_id: incidentId,
  system,
  section,
  last_at: new Date(lastAt).toISOString(),
  answers,
})
