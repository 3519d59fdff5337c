import type { Logger } from 'pino'
import type { Throttle } from '../commands/throttle.ts'
import type { MerchantConfig } from '../config.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Directives } from '../operations/directives.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/offices.ts'
import type { Auditing } from './acting.ts'
import { auditPage } from './audit-page.ts'
import { cachePages } from './cache-page.ts'
import { circuitPages } from './circuit-page.ts'
import { incidentPage, incidentsPage } from './incidents-page.ts'
import { keyPages } from './keys-page.ts'
import { knownMerchants } from './merchants.ts'
import { nowPage } from './now-page.ts'
import type { ConsolePage } from './page.ts'
import { requestPage } from './request-page.ts'
import { timelinePage, timelineSeries } from './timeline-page.ts'
import { webhookActions } from './webhook-actions.ts'
import { webhookPages } from './webhooks-page.ts'

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
