import { expect } from 'chai'
import { catalogPartNames } from '../../../src/catalog/mirror/file/catalog-part-names.ts'
import type { TenantMirror } from '../../../src/changes/mirror/tenant-mirror.ts'
import type { MerchantConfig } from '../../../src/config/config.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { createMirrorPage } from '../../../src/console/pages/mirror-page.ts'
import { stores } from '../../support/stores.ts'
import { startTestConsole } from '../test-console.ts'

const HOUR_MS = 3_600_000
const merchants = [
  { merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD', mirror: { maxAgeMs: HOUR_MS } },
] as MerchantConfig[]

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
        : { isFilled: true, asOf: now - 1_000, failure: null },
  }) as TenantMirror

describe('a mirror or feed that is behind, on the page Mirrors', () => {
  it('says what is old, since when, why, and what shoppers see', async () => {
    const [store] = stores()
    const db = await store!.open()
    await using testConsole = await startTestConsole(db, ({ now }) => [
      createMirrorPage({
        mirrors: [createLateMirror(now())],
        merchants: createMerchantDirectory(merchants, now),
        configuredMerchants: merchants,
        now,
      }),
    ])
    const { text } = await testConsole.get(await testConsole.signInAs('sam', 'support'), '/mirrors')
    const shown = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    for (const said of [
      'Lag behind the store: 15 min.',
      'The mirror has not been able to follow the store since 08:50:00 GMT-5 : database is locked',
      'prices Old 2 h No response in time',
      'is still served, but marked as out of date',
    ])
      expect(shown).to.include(said)
    expect(shown.match(/ Current /g)).to.have.length(catalogPartNames.length - 1)
    await store!.close()
  })
})
