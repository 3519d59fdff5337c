import type { Logger } from 'pino'
import type { Throttle } from '../commands/action-throttle.ts'
import type { MerchantConfig } from '../config/config.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Directives } from '../operations/override-follower.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/upstream-registry.ts'
import type { Auditing } from './audited-action.ts'
import { auditPage } from './pages/audit-log-page.ts'
import { cachePages } from './pages/cache-purge-page.ts'
import { circuitPages } from './pages/circuit-page.ts'
import { incidentPage, incidentsPage } from './pages/incident-pages.ts'
import { keyPages } from './pages/api-keys-page.ts'
import { knownMerchants } from './merchant-directory.ts'
import { nowPage } from './pages/now-page.ts'
import type { ConsolePage } from './console-page.ts'
import { requestPage } from './pages/request-page.ts'
import { timelinePage, timelineSeries } from './pages/timeline-page.ts'
import { webhookActions } from './pages/webhook-actions.ts'
import { webhookPages } from './pages/webhook-pages.ts'

/** What the pages look at, and act upon. */
export interface Seen {
  db: Database
  offices: Offices
  merchants: readonly MerchantConfig[]
  diagnostics: Diagnostics
  directives: Directives
  throttle: Throttle
  endpoints: EndpointRules
  logger: Logger
  now: () => number
}

export function consolePages(seen: Seen): ConsolePage[] {
  return [...diagnosticsPages(seen), ...webhookPages(seen), ...webhookActions(seen), ...keyPages(seen), auditPage(seen)]
}

export interface DiagnosticsPagesParts extends Auditing {
  offices: Pick<Offices, 'states'>
  merchants: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'live'>
  directives: Pick<Directives, 'look'>
}

/** What failed, for whom, how, since when, and whether it is over; and what may be done by hand. */
export function diagnosticsPages(parts: DiagnosticsPagesParts): ConsolePage[] {
  const merchants = knownMerchants(parts.merchants, parts.now)
  const seen = { ...parts, merchants }
  return [
    nowPage({ ...seen, configured: parts.merchants }),
    incidentsPage(seen),
    incidentPage(seen),
    timelinePage(seen),
    timelineSeries(seen),
    requestPage(seen),
    ...circuitPages(seen),
    ...cachePages(seen),
  ]
}
