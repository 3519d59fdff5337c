import { findLaterIncident } from '../../../diagnostics/reports/find-later-incident.ts'
import { findIncident } from '../../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { toSectionCircuit } from '../../../diagnostics/section-circuit.ts'
import { isKeyIncident, readRefusedKeys } from '../../../diagnostics/status/read-refused-keys.ts'
import type { Database } from '../../../storage/database.ts'
import { listIncidentNotes } from '../../../storage/diagnostics/incident-notes.ts'
import { listOperators } from '../../../storage/operators/operator-accounts.ts'
import type { UpstreamRegistry } from '../../../upstream/upstream-registry.ts'
import type { ConsolePage, TemplateResponse } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { adviseOnAffectedShoppers } from '../../text/affected-shopper-advice-text.ts'
import { concernsForecourt } from '../../text/failure-advice-text.ts'
import { findWorkedAt } from '../../text/incident-end-text.ts'
import { describeCircuit } from '../../text/section-text.ts'
import { callAboutForecourt, callAboutMerchant, callAboutSystem, type WhomToCall } from '../../whom-to-call.ts'
import { createCircuitPathLookup } from '../circuit-page-path.ts'
import { describeRefusedKeyRequests } from '../refused-key-requests.ts'
import { MAX_NOTE_LENGTH } from './incident-actions.ts'
import { readCalledOperations } from './incident-called-operations.ts'
import { toIncidentCareView } from './incident-care-view.ts'
import { readIncidentImpact } from './incident-impact-view.ts'
import { readIncidentMirror } from './incident-mirror-view.ts'
import { toOrderEvidence } from './incident-order-evidence.ts'
import { readIncidentOutage } from './incident-outage-view.ts'
import { toIncidentPageView } from './incident-page-view.ts'
import { readIncidentPhaseViews } from './incident-phases-view.ts'
import { readRefusedKeyIncidentNames } from './refused-key-incident-names.ts'
import { toRefusedKeyView } from './refused-key-view.ts'

export interface IncidentPageParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: MerchantDirectory
  now: () => number
}

/** Creates the page of one incident with its codes, sample requests and circuit changes. */
export function createIncidentPage({ db, upstreams, merchants, now }: IncidentPageParts): ConsolePage {
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
        phases: await readIncidentPhaseViews(db, incident, merchants),
        outage: await readIncidentOutage(db, incident, merchants, now()),
        advice: impact ? adviseOnAffectedShoppers({ ...impact.adviceFacts, isOngoing: isOpen(later ?? incident) }) : [],
        care: toIncidentCareView(notes, tenant, merchants),
        operators: await listAssignees(db),
        mirror: await readIncidentMirror(db, incident, merchants),
        whomToCall: toWhomToCall(incident, merchants),
        maxNoteLength: MAX_NOTE_LENGTH,
        refusedKey: key ? toRefusedKeyView(key, merchants) : null,
        refusedRequests: key ? await describeRefusedKeyRequests(db, incident) : '',
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
