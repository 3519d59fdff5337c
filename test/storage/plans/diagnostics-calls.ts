import * as backlogCounts from '../../../src/storage/diagnostics/backlog-queries.ts'
import * as breakerChanges from '../../../src/storage/diagnostics/breaker-changes.ts'
import * as dailyKeyUsage from '../../../src/storage/diagnostics/daily-key-usage.ts'
import * as findLaterIncident from '../../../src/storage/diagnostics/find-later-incident.ts'
import * as incidentNotes from '../../../src/storage/diagnostics/incident-notes.ts'
import * as incidentQueries from '../../../src/storage/diagnostics/incident-queries.ts'
import * as incidentUpdates from '../../../src/storage/diagnostics/incident-updates.ts'
import * as openIncidents from '../../../src/storage/diagnostics/open-incidents.ts'
import * as outageNotices from '../../../src/storage/diagnostics/outage-notices.ts'
import * as processStarts from '../../../src/storage/diagnostics/process-runs.ts'
import * as processStates from '../../../src/storage/diagnostics/process-states.ts'
import { diagnosticsPruneSteps } from '../../../src/storage/diagnostics/prune-diagnostics.ts'
import * as pruneRequests from '../../../src/storage/diagnostics/prune-request-records.ts'
import * as requestRecords from '../../../src/storage/diagnostics/request-records.ts'
import * as recordSearch from '../../../src/storage/diagnostics/search-request-records.ts'
import * as timelineRows from '../../../src/storage/diagnostics/timeline-counts.ts'
import * as endpointStatusCounts from '../../../src/storage/diagnostics/webhook-endpoint-queries.ts'
import { LATENCY_BOUNDS_MS } from '../../../src/storage/tables/diagnostics-tables.ts'
import { at, combinations, type QueryCalls, tenant, tenantRow } from './query-combinations.ts'

const section = { ...tenantRow, system: 'pricing', section: 'price' }
const record = { ...tenantRow, record_id: 'r', request_id: 'q', at, route: '/', status: 200, ms: 1 }
const counts = Object.fromEntries([...LATENCY_BOUNDS_MS.map((ms) => `le_${ms}`), 'over'].map((name) => [name, 0]))
const timelineRow = { ...section, step: 'minute', at, total: 1, degraded: 0, stale: 0, ...counts } as never
const update = { ...section, first_at: at, last_at: at, answers: 1, codes: {}, causes: {}, samples: [] }
const notice = {
  ...{ channel: 'c', target: 'mail', system: 'pricing', state: 'began_due' as const },
  ...{ began_at: at, seen_at: at, due_at: at, document: '{}' },
}
const range = { from: at, to: at }

export const diagnosticsModules = [
  ...[
    breakerChanges,
    dailyKeyUsage,
    findLaterIncident,
    incidentNotes,
    incidentQueries,
    incidentUpdates,
    openIncidents,
    outageNotices,
    processStarts,
    processStates,
  ],
  ...[pruneRequests, requestRecords, recordSearch, backlogCounts, endpointStatusCounts, timelineRows],
]

/** Calls each function that queries the diagnostics. */
export const diagnosticsCalls: QueryCalls = {
  changeActiveNotices: (db) => [outageNotices.changeActiveNotices(db, async () => {})],
  insertOutageNotice: (db) => [outageNotices.insertOutageNotice(db, notice)],
  updateOutageNotice: (db) => [outageNotices.updateOutageNotice(db, 'out_1', { seen_at: at })],
  claimDueNotices: (db) => [outageNotices.claimDueNotices(db, { now: at, until: at, channels: ['c'] })],
  insertProcessStart: (db) => [
    processStarts.insertProcessStart(db, { at, process: 'p', version: '1', config_digest: null }),
  ],
  recordProcessStop: (db) => [processStarts.recordProcessStop(db, { at, process: 'p' }, at)],
  listProcessRuns: (db) => [processStarts.listProcessRuns(db, { startedUntil: at, limit: 9 })],
  findLastEndsBefore: (db) => [processStarts.findLastEndsBefore(db, at)],
  findProcessStartAfter: (db) => [processStarts.findProcessStartAfter(db, at)],
  listProcessStarts: (db) => [processStarts.listProcessStarts(db, range)],
  findProcessStartBefore: (db) => [processStarts.findProcessStartBefore(db, at)],
  listFailingChannels: (db) => [outageNotices.listFailingChannels(db, at)],
  listOutageNotices: (db) => [outageNotices.listOutageNotices(db, 9)],
  addIncidentNote: (db) => [
    incidentNotes.addIncidentNote(db, { incident_id: 'inc_1', at, operator: 'ann', kind: 'note', text: 'x' }),
  ],
  listIncidentCare: (db) => [incidentNotes.listIncidentCare(db, ['inc_1', 'inc_2'])],
  listIncidentNotes: (db) => [incidentNotes.listIncidentNotes(db, 'inc_1')],
  insertBreakerChanges: (db) => [
    breakerChanges.insertBreakerChanges(db, [
      { ...tenantRow, change_id: 'c', system: 'pricing', process: 'p', at, state: 'open', by: null, causes: null },
    ]),
  ],
  listNextClosings: (db) => [
    breakerChanges.listNextClosings(db, { ...tenant, circuits: ['pricing'], after: at, limit: 9 }),
  ],
  listBreakerChanges: (db) =>
    combinations({ system: 'pricing' }).map((more) =>
      breakerChanges.listBreakerChanges(db, { ...tenant, ...more, ...range, limit: 9 }),
    ),
  addDailyKeyUsage: (db) => [
    dailyKeyUsage.addDailyKeyUsage(db, [
      {
        key_id: 'k',
        day: '2026-01-01',
        requests: 1,
        refused: 0,
        limited: 0,
        last_refusal_code: null,
        last_refused_at: null,
      },
    ]),
  ],
  listDaysOfKey: (db) => [dailyKeyUsage.listDaysOfKey(db, 'k', 9)],
  listRefusalsOfKey: (db) => [requestRecords.listRefusalsOfKey(db, 'k', 9)],
  listDailyKeyUsage: (db) => [dailyKeyUsage.listDailyKeyUsage(db, '2026-01-01')],
  listIncidentRows: (db) =>
    [undefined, true, false]
      .flatMap((open) =>
        combinations({
          merchant: 'acme',
          mode: 'sandbox' as const,
          during: range,
          after: { last_at: at, incident_id: 'i' },
        }).map((more) => incidentQueries.listIncidentRows(db, { ...more, open, limit: 9 })),
      )
      .concat(incidentQueries.listIncidentRows(db, { ...tenant, system: 'pricing', openDuring: range, limit: 9 })),
  findLatestEndedIncident: (db) => [
    incidentQueries.findLatestEndedIncident(db, { merchants: ['acme', 'other'], since: at }),
  ],
  countIncidentsSince: (db) => [
    incidentQueries.countIncidentsSince(db, tenant, {
      system: 'pricing',
      sections: ['pricing', 'checkout'],
      since: at,
    }),
  ],
  findLaterIncidentRow: (db) =>
    ['', 'pricing'].map((system) =>
      findLaterIncident.findLaterIncidentRow(db, {
        ...{ incident_id: 'i', tenant_id: 'acme', mode: 'live', system, section: 'price', related: ['inc_2'] },
        after: at,
      }),
    ),
  findIncidentRow: (db) => [incidentQueries.findIncidentRow(db, 'i')],
  listIncidentsAt: (db) => [incidentQueries.listIncidentsAt(db, tenant, 0)],
  listStoreIncidents: (db) => [incidentQueries.listStoreIncidents(db, { from: 0, to: 1 })],
  applyIncidentUpdates: (db) => [incidentUpdates.applyIncidentUpdates(db, [update])],
  listOpenIncidents: (db) => [openIncidents.listOpenIncidents(db)],
  recordSystemResponding: (db) => [at, null].map((since) => openIncidents.recordSystemResponding(db, 'i', since)),
  recordSectionHealthy: (db) => [openIncidents.recordSectionHealthy(db, 'i', at)],
  endQuietIncidents: (db) => [[], ['i', 'j']].map((ongoing) => openIncidents.endQuietIncidents(db, 0, ongoing)),
  endIncident: (db) => [openIncidents.endIncident(db, 'i', at)],
  upsertProcessState: (db) => [processStates.upsertProcessState(db, { process: 'p', at, document: '{}' })],
  listProcessStates: (db) => [processStates.listProcessStates(db, at)],
  readProcessesLastSeen: (db) => [processStates.readProcessesLastSeen(db, ['p'])],
  deleteProcessState: (db) => [processStates.deleteProcessState(db, 'p')],
  pruneRequestRecords: (db) => [pruneRequests.pruneRequestRecords(db, at, 9)],
  prune: (db) => diagnosticsPruneSteps.map((step) => step(db, 0, 9)),
  insertRequestRecords: (db) => [
    requestRecords.insertRequestRecords(db, [
      {
        ...record,
        kind: 'slow',
        code: null,
        key_id: null,
        customer_id: null,
        skus: null,
        section_codes: null,
        document: '{}',
      },
    ]),
  ],
  findRequestRecords: (db) => [requestRecords.findRequestRecords(db, 'q', 9)],
  searchRequestRecords: (db) =>
    [null, 'acme'].flatMap((merchant) =>
      combinations({
        during: range,
        code: 'circuit_open',
        sku: 'BP-1',
        from: { position: { at, record_id: 'r' }, direction: 'newer' as const },
      }).map((more) =>
        recordSearch.searchRequestRecords(db, { merchant, mode: 'live', kinds: ['slow'], limit: 9, ...more }),
      ),
    ),
  countPendingOrders: (db) => [backlogCounts.countPendingOrders(db)],
  listOldestPendingOrders: (db) => [backlogCounts.listOldestPendingOrders(db, ['acme'], 9)],
  countDueDeliveries: (db) => [backlogCounts.countDueDeliveries(db, at)],
  readDeliveryBacklog: (db) => [backlogCounts.readDeliveryBacklog(db, at, at)],
  countEndpointsByStatus: (db) => [endpointStatusCounts.countEndpointsByStatus(db)],
  countUnsuccessfulEndpoints: (db) => [endpointStatusCounts.countUnsuccessfulEndpoints(db, at)],
  listRecentlyFailingEndpoints: (db) => [endpointStatusCounts.listRecentlyFailingEndpoints(db, ['acme'], at, 9)],
  listFailingEndpoints: (db) => [endpointStatusCounts.listFailingEndpoints(db, ['acme'], at, 9)],
  countOpenIncidents: (db) => [openIncidents.countOpenIncidents(db)],
  addTimelineCounts: (db) => [timelineRows.addTimelineCounts(db, [timelineRow])],
  listTimelineRows: (db) => [timelineRows.listTimelineRows(db, { ...tenant, step: 'minute', ...range })],
  hasResponsesSince: (db) => [timelineRows.hasResponsesSince(db, { ...tenant, step: 'hour' }, at)],
  listActiveModes: (db) => [timelineRows.listActiveModes(db, 'acme', at)],
}
