import type { Logger } from 'pino'
import type { ActionThrottle } from '../commands/action-throttle.ts'
import type { MerchantConfig } from '../config/config.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { OverrideFollower } from '../operations/override-follower.ts'
import type { Database } from '../storage/database.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'
import type { AuditedActionParts } from './audited-action.ts'
import type { ConsolePage } from './console-page.ts'
import { createMerchantDirectory } from './merchant-directory.ts'
import { createApiKeyPages } from './pages/api-keys-page.ts'
import { createAuditLogPage } from './pages/audit-log-page.ts'
import { createCachePurgePages } from './pages/cache-purge-page.ts'
import { createCircuitPages } from './pages/circuit-page.ts'
import { createIncidentListPage, createIncidentPage } from './pages/incident-pages.ts'
import { createNowPage } from './pages/now-page.ts'
import { createRequestPage } from './pages/request-page.ts'
import { createTimelinePage, createTimelineSeriesPage } from './pages/timeline-page.ts'
import { createWebhookActions } from './pages/webhook-actions.ts'
import { createWebhookPages } from './pages/webhook-pages.ts'

/** What the pages look at, and act upon. */
export interface ConsolePagesParts {
  db: Database
  upstreams: UpstreamRegistry
  merchants: readonly MerchantConfig[]
  diagnostics: Diagnostics
  directives: OverrideFollower
  throttle: ActionThrottle
  endpoints: EndpointRules
  logger: Logger
  now: () => number
}

export function createConsolePages(seen: ConsolePagesParts): ConsolePage[] {
  return [
    ...createDiagnosticsPages(seen),
    ...createWebhookPages(seen),
    ...createWebhookActions(seen),
    ...createApiKeyPages(seen),
    createAuditLogPage(seen),
  ]
}

export interface DiagnosticsPagesParts extends AuditedActionParts {
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'processState'>
  directives: Pick<OverrideFollower, 'poll'>
}

/** What failed, for whom, how, since when, and whether it is over; and what may be done by hand. */
export function createDiagnosticsPages(parts: DiagnosticsPagesParts): ConsolePage[] {
  const merchants = createMerchantDirectory(parts.merchants, parts.now)
  const seen = { ...parts, merchants }
  return [
    createNowPage({ ...seen, configured: parts.merchants }),
    createIncidentListPage(seen),
    createIncidentPage(seen),
    createTimelinePage(seen),
    createTimelineSeriesPage(seen),
    createRequestPage(seen),
    ...createCircuitPages(seen),
    ...createCachePurgePages(seen),
  ]
}
