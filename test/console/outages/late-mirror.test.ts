import { expect } from 'chai'
import { catalogPartNames } from '../../../src/catalog/mirror/file/catalog-part-names.ts'
import { createLateMirror, createMirrorWithoutFitment, createUnfilledMirror } from './late-mirror.ts'
import { around, expectAll, openOutageConsole } from './outage-console.ts'
import { systemOutages } from './system-outages.ts'

describe('a mirror or feed that is behind, on the pages Now and Mirrors', () => {
  it('says what is old, since when, why, what shoppers see, and whom to ask', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const shown = await outages.readText('/mirrors')
    expectAll(shown, [
      'In step with Forecourt’s database until 08:50:00 GMT-5. Maximum age of a part: 1 h.',
      'What to do, in this order: Forecourt’s database has not been followed since 08:50:00 GMT-5 (database is locked) on the machine shop-1.',
      'Shoppers see the catalog of that time, except parts below that are older.',
      'Tell whoever runs Forecourt to check the disk of shop-1 and Forecourt’s database.',
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199 Pricing could not be read: no response in time. Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5; how many shoppers saw them is not counted.',
      'new values are seen only after that is mended. Cart totals and checkout read pricing itself, not the mirror: none is known to have failed since 07:05:00 GMT-5. Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
      'prices Out of date 2 h shoppers see the state of 07:05:00 GMT-5 No response in time',
      'products Not updated 15 min Not followed: database is locked',
      'Each machine has copies of its own; this page shows those of shop-1',
      'is still served, but marked as out of date',
    ])
    expect(shown.match(/ Not updated 15 min /g)).to.have.length(catalogPartNames.length - 1)
    expectAll(await outages.readText('/'), [
      'No requests in the last minute, but 1 catalog mirror is behind',
      'Behind Acme Parts (live) on the machine shop-1. What shoppers see: Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5 (older than 1 h). Forecourt’s database has not been followed since 08:50:00 GMT-5 (database is locked): all else is of that time.',
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

  it('is among the other events of a time', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    expectAll(await outages.readText(around('/incidents?', outages.clock.ms)), [
      '08:05:00 GMT-5 Catalog mirror of Acme Parts (live) on the machine shop-1 fell behind, and still is. Prices are of 07:05:00 GMT-5, and out of date since 08:05:00 GMT-5',
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
    expectAll(await outages.readText('/'), [
      `What to do about Acme Parts (live) ${merchant}`,
      'references could not be read',
    ])
  })

  it('is not on Now when all parts are current', async () => {
    await using outages = await openOutageConsole()
    expect(await outages.readText('/')).to.not.include('Catalog mirrors that are behind')
  })
})
