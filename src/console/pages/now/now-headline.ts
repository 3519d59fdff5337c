import { nameSystem } from '../../../diagnostics/section-and-system-names.ts'
import type { TenantStatus } from '../../../diagnostics/status/current-status.ts'
import type { RefusedKeyStatus } from '../../../diagnostics/status/read-refused-keys.ts'
import type { SystemStatus } from '../../../diagnostics/status/system-status.ts'
import { type CircuitName, toCircuitSystem } from '../../../ports/circuit-name.ts'
import type { StoreOutage } from '../../../storage/store-monitor.ts'
import { describeFailure } from '../../text/failure-kind-text.ts'
import { formatCount } from '../../text/format-numbers.ts'
import { isResponding, RESPONDS_AGAIN } from '../../text/responding-again-text.ts'
import type { StatusPill } from '../status-pill.ts'
import { isSystemDegraded, isSystemUnhealthy } from './system-health.ts'

const MAX_NAMED_SYSTEMS = 3

/** What the headline says if no system is degraded. */
export interface QuietFacts {
  refusedKeys?: readonly Pick<RefusedKeyStatus, 'reason'>[]
  /** Orders that have waited for accounting for longer than a minute or so. */
  waitingOrders?: number
  /** Webhook endpoints without a successful attempt for 15 minutes. */
  failingEndpoints?: number
  /** Webhook endpoints that have only failed since their last success, for a shorter time. */
  recentlyFailingEndpoints?: number
  /** Mirrors that are out of date or not updated. */
  lateMirrors?: number
  /** Mirrors without parts that could not be read. */
  unfilledMirrors?: number
  /** Imports that failed and were not repeated with success. */
  failedImports?: number
  /** Somebody used a shop in the last minute. */
  hasRequests?: boolean
}

/** Says that the store is unavailable. Otherwise names the degraded systems, or those with a warning if none is degraded. Counts them if there are more than three. */
export function toNowHeadline(
  unhealthyTenants: readonly TenantStatus[],
  storeOutage: Pick<StoreOutage, 'reason'> | null = null,
  quiet: QuietFacts = {},
): StatusPill {
  if (storeOutage)
    return { tone: 'failing', text: `Forecourt’s database is unavailable: ${describeFailure(storeOutage.reason)}` }
  if (unhealthyTenants.length === 0) return toHealthyHeadline(quiet)
  const degraded = nameSystems(unhealthyTenants, isSystemDegraded)
  if (degraded) return { tone: 'failing', text: `Degraded: ${degraded}` }
  if (
    unhealthyTenants.every(({ systems }) => systems.every((one) => isRespondingAgain(one) || !isSystemUnhealthy(one)))
  )
    return {
      tone: 'warning',
      text: `${RESPONDS_AGAIN}, not confirmed yet: ${nameSystems(unhealthyTenants, isRespondingAgain)}`,
    }
  const isMaintenanceAlone = unhealthyTenants.every(({ systems }) =>
    systems.every((system) => isInMaintenance(system) || !isSystemUnhealthy(system)),
  )
  return isMaintenanceAlone
    ? { tone: 'warning', text: `Planned maintenance: ${nameSystems(unhealthyTenants, isNamedMaintenance)}` }
    : { tone: 'warning', text: `Warning: ${nameSystems(unhealthyTenants, isSystemUnhealthy)}` }
}

/** An origin that a key does not allow is no warning: any page on the web may send the key of a shop. Without requests nothing is measured. */
function toHealthyHeadline(quiet: QuietFacts): StatusPill {
  const { refusedKeys = [], waitingOrders = 0, failingEndpoints = 0, lateMirrors = 0 } = quiet
  const { recentlyFailingEndpoints = 0, unfilledMirrors = 0, failedImports = 0, hasRequests = true } = quiet
  const ended = refusedKeys.filter(({ reason }) => reason !== 'origin').length
  const warnings = [
    ...(ended > 0
      ? [`${formatCount(ended, 'revoked or expired key is', 'revoked or expired keys are')} still used`]
      : []),
    ...(waitingOrders > 0 ? [`${formatCount(waitingOrders, 'order waits', 'orders wait')} for accounting`] : []),
    ...(failingEndpoints > 0
      ? [formatCount(failingEndpoints, 'webhook endpoint fails', 'webhook endpoints fail')]
      : []),
    ...(recentlyFailingEndpoints > 0
      ? [
          formatCount(
            recentlyFailingEndpoints,
            'webhook endpoint has failed since its last success',
            'webhook endpoints have failed since their last success',
          ),
        ]
      : []),
    ...(lateMirrors > 0
      ? [formatCount(lateMirrors, 'catalog mirror is not current', 'catalog mirrors are not current')]
      : []),
    ...(unfilledMirrors > 0
      ? [formatCount(unfilledMirrors, 'catalog mirror is not filled', 'catalog mirrors are not filled')]
      : []),
    ...(failedImports > 0 ? [formatCount(failedImports, 'import failed', 'imports failed')] : []),
  ]
  if (warnings.length > 0) {
    const requests = ended > 0 ? 'No requests with a valid key' : 'No requests'
    const beginning = hasRequests ? 'All systems are healthy' : `${requests} in the last minute`
    return { tone: 'warning', text: `${beginning}, but ${joinWarnings(warnings)}` }
  }
  return hasRequests
    ? { tone: 'well', text: 'All systems are healthy' }
    : { tone: '', text: 'No requests in the last minute, and no ongoing failure is known' }
}

/** Joins them with one `and`, before which two of them have a comma as well. */
const joinWarnings = (warnings: readonly string[]) =>
  warnings.length === 1 ? warnings[0]! : `${warnings.slice(0, -1).join(', ')}, and ${warnings.at(-1)}`

/** Returns an empty string if no system matches. */
function nameSystems(tenants: readonly TenantStatus[], matches: (system: SystemStatus) => boolean): string {
  const namesByTenant = tenants.map(({ name, mode, systems }) =>
    systems.filter(matches).map(({ system }) => `${nameSystem(system)} of ${name} (${mode})`),
  )
  const names = namesByTenant.flat()
  const tenantCount = namesByTenant.filter((tenantNames) => tenantNames.length > 0).length
  return names.length > MAX_NAMED_SYSTEMS
    ? `${names.length} systems of ${formatCount(tenantCount, 'merchant')}`
    : names.join(', ')
}

/** Only calls that are not those of the failed sections show it. */
const isRespondingAgain = ({ incidents, state, held }: SystemStatus) =>
  state === 'closed' && held === null && incidents.length > 0 && incidents.every(isResponding)

/** The searches of the inventory are under maintenance with it. */
const isNamedMaintenance = (system: SystemStatus) =>
  isInMaintenance(system) && toCircuitSystem(system.system as CircuitName) === system.system

const isInMaintenance = ({ held }: SystemStatus) => held?.isMaintenance === true
