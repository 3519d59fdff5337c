import type { Logger } from 'pino'
import type { ActionThrottle } from '../commands/action-throttle.ts'
import type { MerchantConfig } from '../config/merchant-config.ts'
import type { SupportContact } from '../config/support-contact.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { HoldAndPurgeFollower } from '../operations/hold-and-purge-follower.ts'
import type { Database } from '../storage/database.ts'
import type { StoreMonitor } from '../storage/store-monitor.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import type { AuditedActionParts } from './audited-action.ts'
import type { ConsolePage } from './console-page.ts'
import { createMerchantDirectory } from './merchant-directory.ts'
import { createApiKeyPages } from './pages/api-keys-page.ts'
import { createAuditLogPages } from './pages/audit-log-pages.ts'
import { createCachePurgePages } from './pages/cache-purge-page.ts'
import { createCircuitPages } from './pages/circuit-pages.ts'
import { createIncidentActions } from './pages/incidents/incident-actions.ts'
import { createIncidentExports } from './pages/incidents/incident-exports.ts'
import { createIncidentListPage } from './pages/incidents/incident-list-page.ts'
import { createIncidentPage } from './pages/incidents/incident-page.ts'
import { createCartPage } from './pages/lookup/cart-page.ts'
import { createCodePage } from './pages/lookup/code-page.ts'
import { createCustomerPages } from './pages/lookup/customer-pages.ts'
import { createKeyPage } from './pages/lookup/key-page.ts'
import { createOrderPages } from './pages/lookup/order-pages.ts'
import { createProductPage } from './pages/lookup/product-page.ts'
import { createSearchPages } from './pages/lookup/search-page.ts'
import { createMaintenanceAndNoticesPages } from './pages/maintenance-and-notices-page.ts'
import { createMirrorPage, type MirrorPageParts } from './pages/mirrors/mirror-page.ts'
import { createNowPage } from './pages/now/now-page.ts'
import { createRequestAndListPage } from './pages/requests/request-and-list-page.ts'
import { createTimeZonePages } from './pages/time-zone-page.ts'
import { createTimelinePage, createTimelineSeriesPage } from './pages/timeline/timeline-page.ts'
import { createWebhookActions } from './pages/webhooks/webhook-actions.ts'
import { createWebhookPages } from './pages/webhooks/webhook-pages.ts'

export interface ConsolePagesParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  upstreams: UpstreamRegistry
  merchants: readonly MerchantConfig[]
  diagnostics: Diagnostics
  holdsAndPurges: HoldAndPurgeFollower
  mirrors: MirrorPageParts['mirrors']
  /** The name of the machine, whose mirrors pages show. */
  machine: string
  throttle: ActionThrottle
  endpointRules: EndpointRules
  /** Whom to call about this Forecourt. */
  contact?: SupportContact | undefined
  logger: Logger
  now: () => number
}

export function createConsolePages(parts: ConsolePagesParts): ConsolePage[] {
  const pageParts = { ...parts, merchants: createMerchantDirectory(parts.merchants, parts.now, parts.contact) }
  return [
    ...createDiagnosticsPages(parts),
    ...createWebhookPages(pageParts),
    ...createWebhookActions(pageParts),
    ...createApiKeyPages(pageParts),
    ...createSearchPages(pageParts),
    ...createOrderPages(pageParts),
    ...createCustomerPages(pageParts),
    createCartPage(pageParts),
    createProductPage(pageParts),
    createKeyPage(pageParts),
    createCodePage(pageParts),
    createMirrorPage({ ...pageParts, configuredMerchants: parts.merchants }),
    ...createAuditLogPages(pageParts),
    ...createTimeZonePages(),
  ]
}

export interface DiagnosticsPagesParts extends AuditedActionParts {
  store: Pick<StoreMonitor, 'outage'>
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'processState' | 'storeRefusals'>
  mirrors: MirrorPageParts['mirrors']
  /** The name of the machine, whose mirrors pages show. */
  machine: string
  holdsAndPurges: Pick<HoldAndPurgeFollower, 'poll'>
  contact?: SupportContact | undefined
  storeWaitMs?: number
}

/** Creates the pages that show what fails, for which merchant and since when, and those of holds and purges. */
export function createDiagnosticsPages(parts: DiagnosticsPagesParts): ConsolePage[] {
  const pageParts = { ...parts, merchants: createMerchantDirectory(parts.merchants, parts.now, parts.contact) }
  return [
    createNowPage({ ...pageParts, configuredMerchants: parts.merchants }),
    createIncidentListPage({ ...pageParts, configuredMerchants: parts.merchants }),
    createIncidentPage(pageParts),
    ...createIncidentActions(pageParts),
    ...createIncidentExports(pageParts),
    createTimelinePage(pageParts),
    createTimelineSeriesPage(pageParts),
    createRequestAndListPage(pageParts),
    ...createCircuitPages(pageParts),
    ...createCachePurgePages(pageParts),
    ...createMaintenanceAndNoticesPages(pageParts),
  ]
}
