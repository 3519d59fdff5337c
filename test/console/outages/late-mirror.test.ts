import { expect } from 'chai'
import { catalogPartNames } from '../../../src/catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../../src/changes/mirror/tenant-mirror.ts'
import { around, expectAll, openOutageConsole } from './outage-console.ts'

const HOUR_MS = 3_600_000

/** A mirror that has not followed the store for a quarter of an hour, and whose feed of prices has failed for two hours. */
const createLateMirror = (now: number) =>
  ({
    tenant: { merchant: 'acme', mode: 'live' },
    isServing: true,
    status: () => ({
      path: null,
      bytes: 1,
      rows: 1_200,
      sequence: 1,
      lagMs: 900_000,
      failure: { message: 'database is locked', since: now - 900_000 },
    }),
    partState: (name) =>
      name === 'prices'
        ? { isFilled: true, asOf: now - 2 * HOUR_MS, failure: 'timeout' }
        : { isFilled: true, asOf: now - 900_000, failure: null },
  }) as TenantMirror

describe('a mirror or feed that is behind, on the pages Now and Mirrors', () => {
  it('says what is old, since when, why, what shoppers see, and whom to ask', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    const shown = await outages.readText('/mirrors')
    expectAll(shown, [
      'Lag behind the store: 15 min. Maximum age of a part: 1 h.',
      'The mirror has not been able to follow the store since 08:50:00 GMT-5: database is locked',
      'Shoppers see the catalog of that time, except parts below that are older.',
      'Tell whoever runs Forecourt to check the disk of this machine and the store.',
      'prices Old 2 h shoppers see the state of 07:05:00 GMT-5 No response in time',
      'Whom to call about pricing of Acme Parts: Lee Wong, +1 876 555-0100',
      'Whom to call about Forecourt: Forecourt on call, +1 876 555-0199',
      'is still served, but marked as out of date',
    ])
    expect(shown.match(/ Not updated 15 min /g)).to.have.length(catalogPartNames.length - 1)
    expectAll(await outages.readText('/'), [
      'No requests in the last minute, but 1 catalog mirror is behind',
      'Shoppers see an older catalog of Acme Parts (live) since 08:05:00 GMT-5, from a mirror of this machine that is out of date.',
    ])
  })

  it('is among the other events of a time', async () => {
    await using outages = await openOutageConsole({ createMirrors: (now) => [createLateMirror(now())] })
    expectAll(await outages.readText(around('/incidents?', outages.clock.ms)), [
      '08:05:00 GMT-5 Catalog mirror of Acme Parts (live) on this machine: behind since then',
    ])
  })

  it('is not on Now when all parts are current', async () => {
    await using outages = await openOutageConsole()
    expect(await outages.readText('/')).to.not.include('Catalog mirrors that are behind')
  })
})
