import { type CatalogPartName, catalogPartNames } from '../../../catalog/mirror/file/catalog-part-names.ts'
import type { PartFailure } from '../../../changes/mirror/read-store-catalog-state.ts'
import type { TenantMirror } from '../../../changes/mirror/tenant-mirror.ts'
import { type Incident, listIncidents } from '../../../diagnostics/reports/incidents.ts'
import { groupOutages } from '../../../diagnostics/reports/outages.ts'
import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import { UpstreamError } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import type { Tenant } from '../../../tenant.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toMirrorPath } from '../../page-paths.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'
import { describeSection } from '../../text/section-text.ts'
import { type LateMirror, partSystems } from '../mirrors/mirror-warnings.ts'
import type { FailureBesideIncidentView } from './failures-beside-incidents-view.ts'

interface Period {
  from: number
  to: number
}

export const isFailingDuring = ({ fromMs, untilMs }: PartFailure, { from, to }: Period): boolean =>
  fromMs <= to && (untilMs ?? Number.POSITIVE_INFINITY) >= from

interface MirrorSources {
  db: Database
  mirrors: readonly TenantMirror[]
  lateMirrors: readonly LateMirror[]
}

/** The values of a mirror usually become too old within this time. */
const MIRROR_LOOKAHEAD_MS = 2 * 3_600_000
const MAX_INCIDENTS = 100

/**
 * Lists the background reads that failed in a period, with the incidents in which shoppers got older values of the mirror. An event has the
 * same text whatever the period. Reads of a mirror that is still out of date are left out: they are listed with it.
 */
export async function readMirrorFailures(
  { db, mirrors, lateMirrors }: MirrorSources,
  during: Period,
  merchants: MerchantDirectory,
): Promise<FailureBesideIncidentView[]> {
  const failures = mirrors.flatMap((mirror) =>
    listFailures(mirror, lateMirrors).filter((failure) => isFailingDuring(failure, during)),
  )
  const whole = {
    from: Math.min(during.from, ...failures.map(({ fromMs }) => fromMs)),
    to: Math.max(during.to, ...failures.map(({ untilMs }) => untilMs ?? 0)) + MIRROR_LOOKAHEAD_MS,
  }
  const { incidents } = await listIncidents(db, { merchants: merchants.ids, during: whole, limit: MAX_INCIDENTS })
  const old = incidents.filter(({ impact }) => impact?.mirrorAsOf !== undefined)
  const isOf = (failure: MirrorFailure, { tenant, mode, system, beganAt, impact }: Incident) =>
    tenant === failure.tenant.merchant &&
    mode === failure.tenant.mode &&
    failure.names.some((name) => partSystems[name] === system) &&
    beganAt >= failure.fromMs &&
    impact!.mirrorAsOf! <= (failure.untilMs ?? beganAt)
  const others = old.filter((incident) => !failures.some((failure) => isOf(failure, incident)))
  return [
    ...failures.map((failure) =>
      toFailureView(
        failure,
        old.filter((incident) => isOf(failure, incident)),
        merchants,
      ),
    ),
    // One failed refresh makes several sections old.
    ...groupOutages(others)
      .filter(({ incidents: of }) => isOldDuring(of, during))
      .map(({ incidents: of }) => toOldValuesView(of, merchants)),
  ]
}

const readAt = (incidents: readonly Incident[]) => Math.min(...incidents.map(({ impact }) => impact!.mirrorAsOf!))

/** A mirror may fall behind long before its values are too old, and the incident begins only then. */
const isOldDuring = (incidents: readonly Incident[], { from, to }: Period) =>
  readAt(incidents) <= to && incidents.some(({ lastAt }) => lastAt >= from)

interface MirrorFailure extends PartFailure {
  tenant: Tenant
  names: CatalogPartName[]
}

function listFailures(mirror: TenantMirror, lateMirrors: readonly LateMirror[]): MirrorFailure[] {
  const { tenant } = mirror
  const late = lateMirrors.find((one) => one.merchant === tenant.merchant && one.mode === tenant.mode)
  const failed = catalogPartNames.flatMap((name) => {
    const failure = mirror.latestFailure(name)
    const isListed = failure?.untilMs === null && late?.oldParts.some((old) => old.name === name)
    return failure === null || isListed ? [] : [{ name, failure }]
  })
  return mergeOverlapping(failed).map((group) => {
    const ends = group.map((one) => one.failure.untilMs)
    return {
      tenant,
      names: group.map(({ name }) => name),
      failure: group[0]!.failure.failure,
      fromMs: Math.min(...group.map((one) => one.failure.fromMs)),
      untilMs: ends.includes(null) ? null : Math.max(...ends.map(Number)),
    }
  })
}

function toFailureView(
  failure: MirrorFailure,
  incidents: readonly Incident[],
  merchants: MerchantDirectory,
): FailureBesideIncidentView {
  const { merchant, mode } = failure.tenant
  const failing = describePeriod(failure, (ms) => merchants.time(ms, merchant).text)
  const seen =
    incidents.length > 0
      ? describeOldValues(incidents, merchants)
      : failure.untilMs === null
        ? 'Shoppers see earlier values. An incident begins only if these become too old'
        : 'Shoppers saw earlier values. No incident is known in which these were too old'
  return {
    at: merchants.time(failure.fromMs, merchant),
    text: `Catalog mirror of ${merchants.name(merchant)} (${mode}): reads of ${listFormat.format(failure.names)} in the background ${failing}. ${seen}`,
    href: incidents.length > 0 ? `/incidents/${incidents[0]!.incidentId}` : toMirrorPath(failure.tenant),
  }
}

function describeOldValues(incidents: readonly Incident[], merchants: MerchantDirectory): string {
  const began = Math.min(...incidents.map(({ beganAt }) => beganAt))
  const names = new Set(incidents.map(({ system, section }) => describeSection(system, section).name))
  return `From ${merchants.time(began, incidents[0]!.tenant).text} on, shoppers got older values: ${[...names].toSorted().join(', ')}`
}

/** Another machine, or a later failure, has replaced what is known of the reads. */
function toOldValuesView(incidents: readonly Incident[], merchants: MerchantDirectory): FailureBesideIncidentView {
  const { incidentId, tenant, mode, system, causes } = incidents[0]!
  const reason = causes[0] ? ` (${describeFailure(causes[0].kind)})` : ''
  return {
    at: merchants.time(readAt(incidents), tenant),
    text: `Catalog mirror of ${merchants.name(tenant)} (${mode}): its refresh failed after this time, because reads of ${nameSystem(system)} in the background, such as its change feed, failed${reason}. ${describeOldValues(incidents, merchants)}`,
    href: `/incidents/${incidentId}`,
  }
}

interface FailedPart {
  name: CatalogPartName
  failure: PartFailure
}

/** Merges failures that overlap: when a system fails, the reads of its parts fail one after another. */
function mergeOverlapping(failed: readonly FailedPart[]): FailedPart[][] {
  const groups: FailedPart[][] = []
  for (const part of failed.toSorted((one, other) => one.failure.fromMs - other.failure.fromMs)) {
    const isSame = (one: FailedPart) =>
      one.failure.failure === part.failure.failure &&
      isFailingDuring(one.failure, { from: part.failure.fromMs, to: part.failure.fromMs })
    const group = groups.find((others) => others.some(isSame))
    if (group) group.push(part)
    else groups.push([part])
  }
  return groups
}

function describePeriod({ failure, fromMs, untilMs }: PartFailure, toTime: (ms: number) => string): string {
  const reason = describeFailure(failureKind(new UpstreamError(failure, failure)))
  return untilMs === null
    ? `have failed since ${toTime(fromMs)} (${reason})`
    : `failed from ${toTime(fromMs)} to ${toTime(untilMs)} (${reason}), and have succeeded since`
}

const listFormat = new Intl.ListFormat('en')
