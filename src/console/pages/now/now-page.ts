import type { MerchantConfig } from '../../../config/merchant-config.ts'
import type { Diagnostics } from '../../../diagnostics/diagnostics.ts'
import { type CurrentStatus, readCurrentStatus } from '../../../diagnostics/status/current-status.ts'
import { createLastGoodStatusReader } from '../../../diagnostics/status/last-good-status-reader.ts'
import type { Database } from '../../../storage/database.ts'
import type { StoreMonitor } from '../../../storage/store-monitor.ts'
import { tenantKey } from '../../../tenant.ts'
import type { UpstreamRegistry } from '../../../upstream/upstream-registry.ts'
import type { ConsolePage } from '../../console-page.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { createCircuitPathLookup } from '../circuit-page-path.ts'
import type { MirrorPageParts } from '../mirrors/mirror-page.ts'
import { listLateMirrors, listUnfilledMirrors, listUnreadMirrors } from '../mirrors/mirror-warnings.ts'
import { toNowPageView } from './now-page-view.ts'

export interface NowPageParts {
  db: Database
  store: Pick<StoreMonitor, 'outage'>
  upstreams: Pick<UpstreamRegistry, 'states'>
  configuredMerchants: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'processState' | 'storeRefusals'>
  mirrors: MirrorPageParts['mirrors']
  machine: string
  merchants: MerchantDirectory
  now: () => number
  /** How long the page waits for the store before it shows what is in memory. */
  storeWaitMs?: number | undefined
}

/** Less than the second after which live pages are rendered again. */
const CACHE_MS = 500

/** Creates the page that shows what fails at this moment, for which merchant, and what shoppers see. */
export function createNowPage(parts: NowPageParts): ConsolePage {
  const { store, upstreams, configuredMerchants, diagnostics, merchants, now } = parts
  const stored = createLastGoodStatusReader({
    ...parts,
    merchants: configuredMerchants.map(({ merchant }) => merchant),
    waitMs: parts.storeWaitMs,
  })
  let cached: { at: number; status: Promise<CurrentStatus> } | undefined

  /** Reads the status once for all open pages. */
  function readStatus(): Promise<CurrentStatus> {
    const at = now()
    if (cached && at >= cached.at && at - cached.at < CACHE_MS) return cached.status
    const status = readCurrentStatus({
      stored,
      store,
      storeRefusals: diagnostics.storeRefusals(),
      upstreams,
      merchants: merchants.all,
      ownState: diagnostics.processState(),
      now: at,
    })
    cached = { at, status }
    return status
  }

  return {
    method: 'GET',
    path: '/',
    role: 'support',
    isLive: true,
    async respond() {
      const status = await readStatus()
      // No shop sees what is old in the others. Mirrors has them all.
      const readMirrors = parts.mirrors.filter(({ tenant }) => status.tenantsWithKeys?.has(tenantKey(tenant)) ?? true)
      const lateMirrors = listLateMirrors(readMirrors, configuredMerchants, now())
      const findCircuitPath = createCircuitPathLookup(upstreams)
      const unfilledMirrors = listUnfilledMirrors(parts.mirrors)
      const unreadMirrors = listUnreadMirrors(readMirrors, configuredMerchants, now())
      const view = toNowPageView(
        { ...status, lateMirrors, unfilledMirrors, unreadMirrors, machine: parts.machine },
        merchants.inOneTimeZone,
        findCircuitPath,
      )
      return { template: 'now', title: 'Now', view }
    },
  }
}
