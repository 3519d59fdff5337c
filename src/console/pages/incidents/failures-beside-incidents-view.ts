import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import { type Downtime, listDowntimes } from '../../../diagnostics/reports/downtimes.ts'
import { listIncidents } from '../../../diagnostics/reports/incidents.ts'
import type { Database } from '../../../storage/database.ts'
import { listFailingEndpoints } from '../../../storage/diagnostics/webhook-endpoint-queries.ts'
import { type AuditLogRow, listAuditLog } from '../../../storage/operators/audit-log.ts'
import type { StoreOutage } from '../../../storage/store-monitor.ts'
import { modes } from '../../../tenant.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toAuditEntryPath, toMirrorPath } from '../../page-paths.ts'
import { describeAuditAction } from '../../text/audit-action-text.ts'
import { describeDowntime } from '../../text/downtime-text.ts'
import { type DisplayTime, formatLocalTime } from '../../text/format-times.ts'
import { describeLateMirror } from '../../text/late-mirror-text.ts'
import type { LateMirror } from '../mirrors/mirror-warnings.ts'
import { redactEndpointUrl } from '../redact-endpoint-url.ts'
import type { TimeWindow } from '../time-window.ts'
import { readDelayedOrdersBesideIncidents } from './delayed-orders-beside-incidents.ts'
import { readMirrorFailures } from './mirror-failures-view.ts'
import { readRefusalsBesideIncidents } from './refusals-beside-incidents.ts'

/** Something around a time that went wrong and is no incident. */
export interface FailureBesideIncidentView {
  at: DisplayTime
  text: string
  href: string
}

const MAX_AUDIT_ENTRIES = 100
const MAX_EVENTS = 20
/** More are not looked at: each is a query. */
const MAX_MERCHANTS = 10
const MAX_INCIDENTS = 100

interface FailureSources {
  db: Database
  mirrors: readonly TenantMirror[]
  lateMirrors: readonly LateMirror[]
  machine: string
  storeOutage: StoreOutage | null
  now: number
}

/** Reads what failed around a time, the latest first: Forecourt itself, commands and actions, refused requests by merchant and reason, webhook endpoints, and mirrors. */
export async function readFailuresBesideIncidents(
  { db, mirrors, lateMirrors, machine, storeOutage, now }: FailureSources,
  { during, at, minutes, timeZone }: TimeWindow & { timeZone: string },
  merchants: MerchantDirectory,
): Promise<FailureBesideIncidentView[]> {
  if (during === null) return []
  const period = { from: new Date(during.from).toISOString(), to: new Date(during.to).toISOString() }
  const audited = await listAuditLog(db, { ...period, limit: MAX_AUDIT_ENTRIES })
  const failed = audited.filter(({ outcome }) => outcome === 'failed')
  const around = { at, within: String(minutes), zone: timeZone }
  const tenants = [
    ...merchants.all.slice(0, MAX_MERCHANTS).flatMap(({ merchant }) => modes.map((mode) => ({ merchant, mode }))),
    ...modes.map((mode) => ({ merchant: null, mode })),
  ]
  const refusals = await Promise.all(
    tenants.map((tenant) => readRefusalsBesideIncidents(db, { ...tenant, during: period }, around, merchants)),
  )
  const { incidents } = await listIncidents(db, { merchants: merchants.ids, during, limit: MAX_INCIDENTS })
  const delayed: FailureBesideIncidentView[] = []
  for (const { merchant, mode } of tenants)
    if (merchant !== null)
      delayed.push(
        ...(await readDelayedOrdersBesideIncidents(db, { merchant, mode }, { period, incidents }, merchants)),
      )
  const downtimes = await listDowntimes(db, { fromMs: during.from, toMs: during.to, now })
  return [
    ...downtimes.map((downtime) => toDowntimeView(downtime, timeZone, merchants)),
    ...failed.map((entry) => toFailedActionView(entry, merchants)),
    ...refusals.flat(),
    ...delayed,
    ...(await readFailingEndpoints(db, period, merchants)),
    ...(await readMirrorFailures({ db, mirrors, lateMirrors }, during, merchants)),
    ...lateMirrors.flatMap((mirror) => toLateMirrorViews(mirror, { machine, storeOutage }, during.to, merchants)),
  ]
    .toSorted((one, other) => Date.parse(other.at.iso) - Date.parse(one.at.iso))
    .slice(0, MAX_EVENTS)
}

/** The timeline shows which version and configuration started then. */
function toDowntimeView(downtime: Downtime, zone: string, merchants: MerchantDirectory): FailureBesideIncidentView {
  const { fromMs, toMs } = downtime
  const text = describeDowntime(downtime, (ms) => merchants.time(ms, null).text)
  return {
    at: merchants.time(fromMs ?? toMs, null),
    text: `${text} See Timeline.`,
    href: `/timeline?${new URLSearchParams({ at: formatLocalTime(toMs, zone), zone })}`,
  }
}

function toFailedActionView(entry: AuditLogRow, merchants: MerchantDirectory): FailureBesideIncidentView {
  const { merchant, mode } = JSON.parse(entry.target) as Record<string, unknown>
  const of = typeof merchant === 'string' ? ` of ${merchants.name(merchant)}${mode ? ` (${mode})` : ''}` : ''
  return {
    at: merchants.time(entry.at, null),
    text: `Failed: ${describeAuditAction(entry.action)}${of}`,
    href: toAuditEntryPath(entry.action, entry.entry_id),
  }
}

async function readFailingEndpoints(
  db: Database,
  { from, to }: { from: string; to: string },
  merchants: MerchantDirectory,
): Promise<FailureBesideIncidentView[]> {
  const endpoints = await listFailingEndpoints(db, merchants.ids, to, MAX_EVENTS)
  return endpoints.map(({ subscription_id, tenant_id, mode, endpoint_url, failing_since }) => ({
    at: merchants.time(failing_since!, tenant_id),
    text: `${failing_since! < from ? 'Began earlier, and still fails: ' : ''}Webhook endpoint ${redactEndpointUrl(endpoint_url)} of ${merchants.name(tenant_id)} (${mode}): all attempts have failed since then`,
    href: `/webhooks/${subscription_id}`,
  }))
}

/** Each cause has a time of its own. */
const toLateMirrorViews = (
  late: LateMirror,
  { machine, storeOutage }: Pick<FailureSources, 'machine' | 'storeOutage'>,
  until: number,
  merchants: MerchantDirectory,
): FailureBesideIncidentView[] =>
  describeLateMirror(late, storeOutage, (at) => merchants.time(at, late.merchant))
    .filter(({ since }) => since <= until)
    .map(({ kind, since, text }) => ({
      at: merchants.time(since, late.merchant),
      text: `Catalog mirror of ${merchants.name(late.merchant)} (${late.mode}) on the machine ${machine}: ${kind} from then on, and still now. ${text}`,
      href: toMirrorPath(late),
    }))
