import type { MerchantConfig } from '../../config/config.ts'
import type { Diagnostics } from '../../diagnostics/diagnostics.ts'
import { type NowView, nowView } from '../../diagnostics/status/current-status.ts'
import type { Database } from '../../storage/database.ts'
import type { Offices } from '../../upstream/upstream-registry.ts'
import { circuitWays } from './circuit-paths.ts'
import type { Merchants } from '../merchant-directory.ts'
import { nowShown } from './now-page-view.ts'
import type { ConsolePage } from '../console-page.ts'

export interface NowPageParts {
  db: Database
  offices: Pick<Offices, 'states'>
  configured: readonly MerchantConfig[]
  diagnostics: Pick<Diagnostics, 'live'>
  merchants: Merchants
  now: () => number
}

/** Less than the second in which live pages are made again. */
const SHARED_MS = 500

/** What is wrong at this moment, with whom, and what shoppers see of it. */
export function nowPage({ db, offices, configured, diagnostics, merchants, now }: NowPageParts): ConsolePage {
  let last: { at: number; view: Promise<NowView> } | undefined

  /** Read once for all who look at it. */
  function shared(): Promise<NowView> {
    const at = now()
    if (last && at >= last.at && at - last.at < SHARED_MS) return last.view
    const view = nowView({ db, offices, merchants: configured, live: diagnostics.live(), now: at })
    last = { at, view }
    return view
  }

  return {
    ...{ method: 'GET', path: '/', role: 'support', live: true },
    async answer() {
      const view = await shared()
      return { template: 'now', title: 'Now', view: nowShown(view, merchants, circuitWays(offices)) }
    },
  }
}
