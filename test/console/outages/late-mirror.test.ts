import { expect } from 'chai'
import { catalogPartNames } from '../../../src/catalog/mirror/file/catalog-part-names.ts'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import { expectAll } from './expect-on-page.ts'
import {
  createFailingMirror,
  createLateMirror,
  createMirrorAfterOutage,
  createMirrorWithoutFitment,
  createRecoveredMirror,
  createUnfilledMirror,
} from './late-mirror.ts'
import { openOutageConsole } from './outage-console.ts'
import { around, toClock } from './outage-times.ts'
import { recordStoreOutage } from './record-store-outage.ts'
import { traceFailure } from './system-outage.ts'
import { systemOutages } from './system-outage-cases.ts'

const NO_OUTAGE =
  'An update reads Forecourt’s database and writes the mirror’s own file: which of the two has this error is not recorded. No outage of Forecourt’s database itself is known to this server. Sign-in, carts, checkout and orders use the database, not the mirror. A mirror that is not current is no incident by itself: one begins when a response to a request has a part that is older than its maximum age.'

describe('a mirror or feed that is not current, on the pages Now and Mirrors', () => {
  it('says what is old, since when, why, what shoppers see, and whom to ask', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const shown = await outages.readText('/mirrors')
    expectAll(shown, [
      'Updated from Forecourt’s database until 08:50:00 GMT-5. Maximum age of a part: 1 h.',
      'What to do, in this order: The mirror has not been updated from Forecourt’s database since 08:50:00 GMT-5 (database is locked) on the machine shop-1.',
      'Shoppers see the catalog of that time, except parts below that are older; how many saw it is not counted.',
      NO_OUTAGE,
      'Tell whoever runs Forecourt to check the disk of shop-1, where the file is, and Forecourt’s database.',
      'No sign-in, cart, checkout or order request is known to have been refused by the database since 08:50:00 GMT-5. But no request of Acme Parts (live) has been counted since then, so whether these work is not known.',
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199 At the last that is known, at 08:50:00 GMT-5, pricing could not be read: no response in time. Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5; how many shoppers saw them is not counted.',
      'This is what the mirror knew at 08:50:00 GMT-5, when it was updated last. Whether pricing can be read now is not known here: new values are seen only after the mirror is updated again. Cart totals and checkout read pricing itself, not the mirror: none is known to have failed since 07:05:00 GMT-5. But no request of Acme Parts (live) has been counted since then, so whether these work is not known. Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
      'prices Out of date 2 h shoppers see the state of 07:05:00 GMT-5 No response in time known up to 08:50:00 GMT-5',
      'products Not updated 15 min Not updated: database is locked',
      'Each machine has copies of its own; this page shows those of shop-1',
      'is still served, but marked as out of date',
    ])
    expect(shown.match(/ Not updated 15 min /g)).to.have.length(catalogPartNames.length - 1)
    expectAll(await outages.readText('/'), [
      'No requests in the last minute, but 1 catalog mirror is not current',
      'Healthy means that no failure is known: the calls of the last minute succeeded, if there were any. What the systems do not have, such as the price of one product, is no failure: the search at the top says of a product what it lacks, and whether it can be ordered.',
      'Out of date, not updated Acme Parts (live) on the machine shop-1. What shoppers see: Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5 (older than 1 h). Whether newer values have been read since 08:50:00 GMT-5 is not known on this machine. The mirror has not been updated from Forecourt’s database since 08:50:00 GMT-5 (database is locked). All parts but prices are of that time.',
      NO_OUTAGE,
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199 Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
    ])
  })

  it('counts the incidents of the system that cannot be read, which hit carts and checkouts', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const pricing = systemOutages.find(({ name }) => name.startsWith('a cart has no total'))!
    await outages.recordOutage(pricing)
    await outages.recordOutage(systemOutages.find(({ name }) => name === 'inventory returns garbage')!)
    expectAll(await outages.readText('/mirrors'), [
      'not the mirror: 1 incident of pricing since 07:05:00 GMT-5 says whom it hit.',
    ])
  })

  it('does not take the silence of a shop without requests for a sign that carts work', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const nobody =
      'But no request of Acme Parts (live) has been counted since then, so whether these work is not known.'
    expect(await outages.readText('/mirrors')).to.include(nobody)
    await outages.record([{ tenant: 'zenith' }, { mode: 'sandbox' }])
    expect(await outages.readText('/mirrors')).to.include(nobody)
    await outages.record([{ route: 'getProduct' }], 60_000)
    expect(await outages.readText('/mirrors'))
      .to.include('How many were tried is not counted here.')
      .and.not.include(nobody)
  })

  it('has changes that the mirror lacks, which are not called late', async () => {
    await using outages = await openOutageConsole({ createMirrors: () => [createUnfilledMirror()] })
    expect(await outages.readText('/mirrors'))
      .to.include('Changes in Forecourt’s database that it does not have yet: none.')
      .and.not.match(/\bbehind\b/i)
  })

  it('is among the other events of a time: each cause with the time at which it began', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const mirror = 'Catalog mirror of Acme Parts (live) on the machine shop-1:'
    const old = `${mirror} out of date from then on, and still now.`
    const stuck = `${mirror} not updated from then on, and still now.`
    expectAll(await outages.readText(around('/incidents?', outages.clock.ms)), [
      `08:50:00 GMT-5 ${stuck} The mirror has not been updated from Forecourt’s database since 08:50:00 GMT-5 (database is locked). All parts but prices are of that time. ${NO_OUTAGE}`,
      `08:05:00 GMT-5 ${old} Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5`,
    ])
    expectAll(await outages.readText('/incidents'), [
      "An incident is a period in which responses to requests lacked one section of a merchant's shop, such as prices, had an older value in its place, or were refused with an error.",
      'A value counts as older when Forecourt had to read it again and could not, so that shoppers got the one before. It must be read again after a change, or at the latest after a time: stock after 30 s, prices after 1 min 30 s, products after 6 min, tax rates after 15 min. What is read from a mirror has another limit: the maximum age of a part, which Mirrors shows.',
      'Not every problem is an incident. If something is missing or old but no request needs it, there is no incident.',
      'See also the refused and slow requests, the failed deliveries in Webhooks, the parts of the catalog that are out of date in Mirrors, and the refused imports and the changes by people in Audit.',
      'A product that has no price or tax in its system causes no incident either, because the system responded. To see what a product lacks, search for it at the top of the page.',
    ])
    const before = await outages.readText('/incidents?at=2026-11-21T08:10&zone=America/Jamaica')
    expect(before).to.include(`08:05:00 GMT-5 ${old}`).and.not.include(stuck)
  })

  it('says that the database itself is out, and what it refused', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const outage = await recordStoreOutage(outages, 'the store does not respond')
    const out = 'Forecourt’s database has been unavailable since 09:05:00 GMT-5: Forecourt’s database does not respond.'
    for (const path of ['/', '/mirrors', around('/incidents?', outages.clock.ms)])
      expect(await outages.readText(path), path)
        .to.include(`${out} That outage is an incident: Now says what shoppers lack.`)
        .and.not.include(NO_OUTAGE)
    await outage.end()
    expectAll(await outages.readText('/mirrors'), [
      NO_OUTAGE,
      '1 incident of the database since 08:50:00 GMT-5 says what was refused.',
    ])
  })

  it('is on Now and on Mirrors while it is not filled, with whom to call', async () => {
    await using outages = await openOutageConsole({ createMirrors: () => [createUnfilledMirror()] })
    const now = await outages.readText('/')
    expectAll(now, [
      'No requests in the last minute, but 1 catalog mirror is not filled',
      'Not filled Acme Parts (sandbox): inventory could not be read yet.',
      'each request asks the merchant’s systems. If these fail, it fails too.',
      'What to do about Acme Parts (sandbox) Whom to call about inventory of Acme Parts (sandbox): Acme IT desk, +1 876 555-0102',
    ])
    expectAll(await outages.readText('/mirrors'), [
      'Inventory could not be read: unreadable response. The mirror has no products yet: each request reads them',
      'products Not filled – Unreadable response',
    ])
  })

  it('says what to do about fitment and product numbers, which may be imported, and whom to call about each part', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createMirrorWithoutFitment(now())] })
    const merchant = 'Whom to call about Acme Parts: Acme IT desk, +1 876 555-0102'
    expectAll(await outages.readText('/mirrors'), [
      `What to do, in this order: Vehicles could not be read: no response in time. Vehicles are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5; how many shoppers saw them is not counted.`,
      `${merchant} References could not be read: unreadable response. The mirror has no references yet`,
      'Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100 taxes',
    ])
    expectAll(await outages.readText('/mirrors'), [
      'prices Current, but the last read failed 0 ms No response in time Out of date from 10:05:00 GMT-5, unless a read succeeds before then',
    ])
    expectAll(await outages.readText('/'), [
      `What to do about Acme Parts (live) ${merchant}`,
      'Acme Parts (live): the last read of prices failed. They are out of date from 10:05:00 GMT-5, unless a read succeeds before then.',
      'Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
      'references could not be read',
    ])
  })

  it('is on Mirrors with its last failure after it has recovered', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createRecoveredMirror(now())] })
    expectAll(await outages.readText('/mirrors'), [
      'stock Current 2 s No response in time, from 09:02:20 GMT-5 to 09:04:00 GMT-5; reads have succeeded since',
      'prices Current 2 s –',
      'Last failure also shows a failure that has ended.',
    ])
  })

  it('is on Mirrors with since when its reads fail', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createFailingMirror(now())] })
    expectAll(await outages.readText('/mirrors'), [
      'prices Current, but the last read failed 1 min 40 s No response in time, since 09:03:20 GMT-5',
    ])
  })

  it('is among the other events of a time after it has recovered, if no shopper saw an old value', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createRecoveredMirror(now())] })
    const event =
      '09:02:20 GMT-5 Catalog mirror of Acme Parts (live): reads of stock in the background failed from 09:02:20 GMT-5 to 09:04:00 GMT-5 (no response in time), and have succeeded since. Shoppers saw earlier values. No incident is known in which these were too old'
    expect(await outages.readText('/incidents?at=2026-11-21T09:03:00&zone=America/Jamaica')).to.include(event)
    expect(await outages.readText('/incidents?at=2026-11-21T08:03:00&zone=America/Jamaica')).to.not.include(event)
  })

  it('is one event with one text at any time within it, which names the incident that began', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createMirrorAfterOutage(now())] })
    const { clock, record, readText } = outages
    const behindAt = clock.ms - 175_000
    clock.ms -= 100_000
    const beganAt = clock.ms
    const failed = { name: 'availability', system: 'inventory', failure: 'timeout' } as const
    const section = traceFailure({ ...failed, staleMs: clock.ms - behindAt }, clock.ms)
    await record([{ route: 'getProduct', sections: [{ ...section, mirrored: true as const }], ms: 3 }])
    clock.ms = beganAt + 100_000
    const event = `Catalog mirror of Acme Parts (live): reads of products and stock in the background failed from 09:02:10 GMT-5 to 09:04:00 GMT-5 (no response in time), and have succeeded since. From ${toClock(beganAt)} on, shoppers got older values: Availability`
    for (const time of ['09:02:11', '09:03:00', '09:03:50', '09:12']) {
      const list = await readText(`/incidents?at=2026-11-21T${time}&zone=America/Jamaica`)
      expect(list, time).to.include(event)
      expect(list, time).to.not.match(/begins only if|its refresh failed/)
    }
  })

  it('is one of the other events of a time for all parts that failed together', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createMirrorAfterOutage(now())] })
    const list = await outages.readText('/incidents?at=2026-11-21T09:03:00&zone=America/Jamaica')
    expectAll(list, [
      'reads of products and stock in the background failed from 09:02:10 GMT-5 to 09:04:00 GMT-5 (no response in time), and',
      'reads of prices in the background failed from 09:02:30 GMT-5 to 09:02:40 GMT-5 (unreadable response), and',
    ])
    expect(list.match(/reads of /g)).to.have.length(2)
  })

  it('is not on Now if no shop has a key for it', async () => {
    const tenant = { merchant: 'acme', mode: 'sandbox' } as const
    await using outages = await openOutageConsole({ createMirrors: (now) => [{ ...createLateMirror(now()), tenant }] })
    expect(await outages.readText('/')).to.not.match(/mirror is not current|Catalog mirrors that are/)
    expect(await outages.readText('/mirrors')).to.include('Acme Parts')
    await issueApiKey(outages.db, { ...tenant, kind: 'secret' })
    outages.clock.ms += 1_000
    expect(await outages.readText('/')).to.include('1 catalog mirror is not current')
  })

  it('is not on Now when all parts are current', async () => {
    await using outages = await openOutageConsole()
    expect(await outages.readText('/')).to.not.include('Catalog mirrors that are not current')
  })
})
