import type { Logger } from 'pino'
import type { Throttle } from '../commands/throttle.ts'
import type { MerchantConfig } from '../config.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import type { EndpointRules } from '../egress/endpoint-rules.ts'
import type { Directives } from '../operations/directives.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/offices.ts'
import { auditPage } from './audit-page.ts'
import { diagnosticsPages } from './diagnostics-pages.ts'
import { keyPages } from './keys-page.ts'
import type { ConsolePage } from './page.ts'
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
