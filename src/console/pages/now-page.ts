import type { MerchantConfig } from '../../config/config.ts'
import type { Diagnostics } from '../../diagnostics/diagnostics.ts'
import { type CurrentStatus, readCurrentStatus } from '../../diagnostics/status/current-status.ts'
import type { Database } from '../../storage/database.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import type { ConsolePage } from '../console-page.ts'
import type { MerchantDirectory } from '../merchant-directory.ts'
import { createCircuitPathLookup } from './circuit-paths.ts'
import { toNowPageView } from './now-page-view.ts'

export interface NowPageParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'states'>
  configured: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'processState'>
  merchants: MerchantDirectory
  now: () => number
}

/** Less than the second in which live pages are made again. */
const SHARED_MS = 500

/** What is wrong at this moment, with whom, and what shoppers see of it. */
export function createNowPage({ db, upstreams, configured, diagnostics, merchants, now }: NowPageParts): ConsolePage {
  let last: { at: number; view: Promise<CurrentStatus> } | undefined

  /** Read once for all who look at it. */
  function shared(): Promise<CurrentStatus> {
    const at = now()
    if (last && at >= last.at && at - last.at < SHARED_MS) return last.view
    const view = readCurrentStatus({ db, upstreams, merchants: configured, live: diagnostics.processState(), now: at })
    last = { at, view }
    return view
  }

  return {
    ...{ method: 'GET', path: '/', role: 'support', live: true },
    async answer() {
      const view = await shared()
      return { template: 'now', title: 'Now', view: toNowPageView(view, merchants, createCircuitPathLookup(upstreams)) }
    },
  }
}
