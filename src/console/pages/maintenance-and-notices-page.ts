import { nameSystem } from '../../diagnostics/section-and-system-names.ts'
import type { Database } from '../../storage/database.ts'
import { listOutageNotices } from '../../storage/diagnostics/outage-notices.ts'
import { type AuditLogRow, listAuditLog } from '../../storage/operators/audit-log.ts'
import { type CircuitHoldRow, readHoldsAndPurgesSince } from '../../storage/operators/holds-and-purges.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { toAuditEntryPath } from '../page-paths.ts'
import { describeAuditAction } from '../text/audit-action-text.ts'
import type { DisplayTime } from '../text/format-times.ts'
import { describeSystemEffect } from '../text/section-text.ts'
import { createCircuitPathLookup } from './circuit-page-path.ts'
import { toOutageNoticeView } from './incidents/outage-notice-view.ts'
import { type StatusPill, toSystemPill } from './status-pill.ts'

interface MaintenanceAndNoticesParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  merchants: MerchantDirectory
  now: () => number
}

const PATH = '/notices'
const MAX_NOTICES = 50
const MAX_EARLIER = 20
const ACTIONS = ['maintenance.start', 'maintenance.end', 'breaker.hold', 'breaker.release']

/** Creates the page of planned maintenance, stopped and forced calls, and notifications, with redirects from its other paths. */
export function createMaintenanceAndNoticesPages(parts: MaintenanceAndNoticesParts): ConsolePage[] {
  const { db, upstreams, now } = parts
  const merchants = parts.merchants.inOneTimeZone
  const page: ConsolePage = {
    method: 'GET',
    path: PATH,
    role: 'support',
    async respond() {
      const toPath = createCircuitPathLookup(upstreams)
      const { holds } = await readHoldsAndPurgesSince(db, now(), now())
      const current = holds.filter((hold) => hold.untilMs > now() && merchants.shows(hold.merchant))
      const view = {
        holds: current.flatMap((hold) => toHoldView(hold, toPath, merchants)),
        earlier: await readEarlierActions(db, merchants),
        notices: (await listOutageNotices(db, MAX_NOTICES)).map((row) => toOutageNoticeView(row, merchants)),
      }
      return { template: 'maintenance-and-notices', title: 'Maintenance and notices', view }
    },
  }
  const others = ['/maintenance', '/notifications'].map(
    (path): ConsolePage => ({
      ...{ method: 'GET', path, role: 'support' },
      respond: async () => ({ redirect: PATH, message: '' }),
    }),
  )
  return [page, ...others]
}

interface HoldView {
  system: string
  href: string | null
  shop: string
  pill: StatusPill
  by: string
  until: DisplayTime
  effect: string
}

/** A released circuit has no state. */
function toHoldView(
  { merchant, mode, circuit, state, isMaintenance, by, untilMs }: CircuitHoldRow,
  toPath: ReturnType<typeof createCircuitPathLookup>,
  merchants: MerchantDirectory,
): HoldView[] {
  if (state === null) return []
  const held = { state, by, untilMs, ...(isMaintenance && { isMaintenance }) }
  return [
    {
      system: nameSystem(circuit),
      href: toPath({ merchant, mode, circuit }),
      shop: `${merchants.name(merchant)} (${mode})`,
      pill: toSystemPill({ state, held, incidents: [], openIn: 1, calls: 0 }),
      by,
      until: merchants.time(untilMs, merchant),
      effect: state === 'open' ? describeSystemEffect(circuit) : 'Shoppers may wait for a system that fails.',
    },
  ]
}

/** Reads when maintenance and holds began and ended, newest first, whoever planned them. */
async function readEarlierActions(db: Database, merchants: MerchantDirectory) {
  const found: AuditLogRow[] = []
  for (const action of ACTIONS) found.push(...(await listAuditLog(db, { action, limit: MAX_EARLIER })))
  return found
    .map((entry) => ({ ...entry, of: JSON.parse(entry.target) as Record<string, string | undefined> }))
    .filter(({ outcome, of }) => outcome === 'done' && merchants.shows(of.merchant ?? null))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, MAX_EARLIER)
    .map(({ entry_id, at, action, operator, of: { merchant = null, mode, system, circuit } }) => ({
      at: merchants.time(at, merchant),
      title: describeAuditAction(action),
      of: `${nameSystem(system ?? circuit ?? '')} of ${merchants.name(merchant)} (${mode})`,
      operator,
      href: toAuditEntryPath(action, entry_id),
    }))
}
