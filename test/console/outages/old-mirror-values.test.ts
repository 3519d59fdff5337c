import { expect } from 'chai'
import { markCatalogPartFailing, markCatalogPartRead } from '../../../src/storage/catalog/catalog-part-states.ts'
import { expectAll } from './expect-on-page.ts'
import { type OutageConsole, openOutageConsole } from './outage-console.ts'
import { toClock, toLocalTime } from './outage-times.ts'
import { traceFailure } from './system-outage.ts'

const acme = { merchant: 'acme', mode: 'live' } as const
const iso = (ms: number) => new Date(ms).toISOString()
const listAround = (at: number) => `/incidents?at=${toLocalTime(at).slice(0, 19)}&zone=America/Jamaica`

/** Three product pages with an availability and a copy of the product that were read four minutes before. */
async function recordOldValues({ clock, record }: OutageConsole) {
  const behindAt = clock.ms
  clock.ms += 4 * 60_000
  const beganAt = clock.ms
  const stock = () => ({
    ...traceFailure(
      { name: 'availability', system: 'inventory', failure: 'timeout', staleMs: clock.ms - behindAt },
      clock.ms,
    ),
    mirrored: true as const,
  })
  for (let shown = 0; shown < 3; shown += 1)
    await record([{ route: 'getProduct', sections: [stock(), { ...stock(), name: 'product' }], ms: 3 }])
  return { behindAt, beganAt }
}

describe('an outage in which shoppers got older values of a mirror, from a clock time alone', () => {
  it('is found at the time of the values and at the time of the first shopper, and names the mirror', async () => {
    await using outages = await openOutageConsole()
    const { readText, testConsole, signIn } = outages
    const { behindAt, beganAt } = await recordOldValues(outages)
    const { text } = await testConsole.get(await signIn(), listAround(behindAt))
    expect(text.match(/Catalog mirror of/g)).to.have.length(1)
    const [, path] = /<a href="(\/incidents\/inc_\w+)">Catalog mirror/.exec(text)!
    expectAll(await readText(listAround(behindAt)), [
      `${toClock(behindAt)} Catalog mirror of Acme Parts (live): its refresh failed after this time, because reads of inventory in the background, such as its change feed, failed (no response in time). From ${toClock(beganAt)} on, shoppers got older values: Availability, Products`,
    ])
    expectAll(await readText(listAround(beganAt)), [
      'Availability (inventory)',
      `${toClock(behindAt)} Catalog mirror of Acme Parts (live): its refresh failed after this time`,
    ])
    expectAll(await readText(path!), [
      `Shoppers got older values from the catalog mirror of Acme Parts (live): the refresh of the mirror failed. Forecourt keeps the mirror current with reads of inventory in the background, such as its change feed, and these reads failed (no response in time). Other calls to inventory may have succeeded at that time. The oldest of these values was read from inventory at ${toClock(behindAt)}, and the first shopper got one at ${toClock(beganAt)}. To see what is out of date now, open Mirrors.`,
    ])
    const { text: page } = await testConsole.get(await signIn(), path!)
    expect(page).to.include('<a href="/mirrors#acme-live">Mirrors</a>')
  })
  it('says whether the reads in the background succeed again', async () => {
    await using outages = await openOutageConsole()
    const { db, clock, readText } = outages
    const { behindAt } = await recordOldValues(outages)
    const { incident_id } = await db.selectFrom('incidents').select('incident_id').executeTakeFirstOrThrow()
    const path = `/incidents/${incident_id}`
    expect(await readText(path)).to.not.include('These reads')
    await markCatalogPartFailing(db, acme, 'stock', 'timeout', iso(behindAt + 1_000))
    expect(await readText(path)).to.include(
      `These reads have failed since ${toClock(behindAt + 1_000)}, and still fail. To see what is out of date now`,
    )
    clock.ms += 60_000
    await markCatalogPartRead(db, acme, 'stock', iso(clock.ms))
    expect(await readText(path)).to.include(
      `These reads failed from ${toClock(behindAt + 1_000)} to ${toClock(clock.ms)}, and have succeeded since. To see`,
    )
  })
})
