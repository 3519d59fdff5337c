import { findIncident, type IncidentDetail } from '../../../diagnostics/reports/incident-detail.ts'
import type { Incident } from '../../../diagnostics/reports/incidents.ts'
import { type IncidentNoteRow, listIncidentNotes } from '../../../storage/diagnostics/incident-notes.ts'
import { EVERY_MERCHANT } from '../../../storage/diagnostics/open-incidents.ts'
import type { ConsolePage, ConsoleResponse } from '../../console-page.ts'
import { formatCsv } from '../../text/format-csv.ts'
import { describeSection } from '../../text/section-text.ts'
import { findCare } from './incident-care-view.ts'
import { readIncidentImpact } from './incident-impact-view.ts'
import type { IncidentPageParts } from './incident-page.ts'

type ExportParts = Pick<IncidentPageParts, 'db' | 'merchants'>

const NOT_FOUND = { template: 'incident-not-found', title: 'No such incident', view: {}, status: 404 }
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** Creates the downloads of an incident: all of it as JSON, and the outage with one row for each section as CSV. */
export function createIncidentExports(parts: ExportParts): ConsolePage[] {
  const createExport = (
    format: 'json' | 'csv',
    toBody: (incident: IncidentDetail) => Promise<string>,
  ): ConsolePage => ({
    method: 'GET',
    path: `/incidents/:id/export.${format}`,
    role: 'support',
    async respond({ params }): Promise<ConsoleResponse> {
      const incident = await findIncident(parts.db, params.id!)
      if (!incident || !parts.merchants.shows(incident.tenant)) return NOT_FOUND
      return { file: { name: `${incident.incidentId}.${format}`, format, body: await toBody(incident) } }
    },
  })
  return [
    createExport('json', async (incident) => `${JSON.stringify(await toDocument(parts, incident), null, 2)}\n`),
    createExport('csv', async (incident) => {
      const rows = [incident, ...incident.related].map(async (one) =>
        toRow(parts, one, await listIncidentNotes(parts.db, one.incidentId)),
      )
      return formatCsv(columns, await Promise.all(rows))
    }),
  ]
}

const columns = [
  'incident',
  'merchant',
  'mode',
  'system',
  'section',
  'began_at',
  'last_degraded_at',
  'ended_at',
  'acknowledged_by',
  'acknowledged_at',
  'assignee',
  'degraded_responses',
  'causes',
  'codes',
  'shoppers',
  'carts',
  'refused_checkouts',
  'refused_money',
  'delayed_orders',
  'pending_orders',
  'money_waiting',
  'currency',
  'older_values',
  'oldest_value_seconds',
] as const

async function toRow({ db, merchants }: ExportParts, incident: Incident, notes: readonly IncidentNoteRow[]) {
  const figures = (await readIncidentImpact(db, incident, merchants))?.figures
  const { acknowledgement, assignee } = findCare(notes)
  return {
    incident: incident.incidentId,
    merchant: incident.tenant === EVERY_MERCHANT ? 'all' : incident.tenant,
    mode: incident.mode,
    system: incident.system || 'forecourt',
    section: describeSection(incident.system, incident.section).name,
    began_at: iso(incident.beganAt),
    last_degraded_at: iso(incident.lastAt),
    ended_at: iso(incident.endedAt),
    acknowledged_by: acknowledgement?.operator ?? null,
    acknowledged_at: acknowledgement?.at ?? null,
    assignee,
    degraded_responses: incident.answers,
    causes: incident.causes.map(({ kind, count }) => `${kind}: ${count}`).join('; '),
    codes: incident.codes.map(({ code, count }) => `${code}: ${count}`).join('; '),
    shoppers: figures?.shoppers ?? null,
    carts: figures?.carts ?? null,
    refused_checkouts: figures?.refused_checkouts ?? null,
    refused_money: figures?.refused_money ?? null,
    delayed_orders: figures?.delayed_orders ?? null,
    pending_orders: figures?.pending_orders ?? null,
    money_waiting: figures?.money_waiting ?? null,
    currency: figures?.currency ?? null,
    older_values: figures?.older_values ?? null,
    oldest_value_seconds: figures?.oldest_value_seconds ?? null,
  }
}

async function toDocument(parts: ExportParts, incident: IncidentDetail) {
  const { effect } = describeSection(incident.system, incident.section)
  const notes = await listIncidentNotes(parts.db, incident.incidentId)
  const row = await toRow(parts, incident, notes)
  return {
    ...row,
    causes: incident.causes,
    codes: incident.codes,
    effect_on_shoppers: effect,
    seen_by_shoppers: (await readIncidentImpact(parts.db, incident, parts.merchants))?.seen ?? [],
    sample_requests: incident.samples.map(({ requestId, at, code, route }) => ({
      request_id: requestId,
      at: iso(at),
      code,
      route,
    })),
    circuit_changes: incident.changes.map(({ circuit, at, state, by, causes }) => ({
      circuit,
      at: iso(at),
      state,
      by,
      causes,
    })),
    notes: notes.filter(({ kind }) => kind === 'note').map(({ at, operator, text }) => ({ at, by: operator, text })),
    related_incidents: incident.related.map(({ incidentId }) => incidentId),
  }
}
