import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { MINUTE_MS } from './outage-times.ts'

/** Outages are this far apart, so that a time finds one of them. */
const GAP_MS = 30 * MINUTE_MS

/** Describes tests that share one console. Outages are recorded as the API records them; somebody who knows the time alone then opens the pages. */
export function describeOutages(title: string, define: (outages: () => OutageConsole) => void): void {
  describe(title, () => {
    let outages: OutageConsole

    before(async () => {
      outages = await openOutageConsole()
    })
    beforeEach(async () => {
      outages.clock.ms += GAP_MS
      await outages.signIn()
    })
    after(() => outages[Symbol.asyncDispose]())

    define(() => outages)
  })
}
