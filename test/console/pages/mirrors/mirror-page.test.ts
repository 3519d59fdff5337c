import { expect } from 'chai'
import type { KyselyPlugin } from 'kysely'
import type { MerchantConfig } from '../../../../src/config/merchant-config.ts'
import type { ConsoleRequest } from '../../../../src/console/console-page.ts'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { createMirrorPage } from '../../../../src/console/pages/mirrors/mirror-page.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { EVERY_MERCHANT } from '../../../../src/storage/diagnostics/open-incidents.ts'
import type { StoreOutage } from '../../../../src/storage/store-monitor.ts'
import { stores } from '../../../support/stores.ts'
import { createLateMirror } from '../../outages/late-mirror.ts'

const NOW = Date.parse('2026-11-21T14:05:00.000Z')
const HOUR_MS = 3_600_000
const merchants = [
  { merchant: 'acme', name: 'Acme Parts', timeZone: 'UTC', currency: 'JMD', mirror: { maxAgeMs: HOUR_MS } },
] as MerchantConfig[]

interface MirrorsView {
  mirrors: { parts: object[]; steps: { text: string; incidents: { text: string } | null }[] }[]
}

for (const store of stores())
  describe(`the page of the mirrors on ${store.name}`, () => {
    let db: Database
    let outage: StoreOutage | null
    beforeEach(async () => {
      db = await store.open()
      outage = null
    })
    afterEach(() => store.close())

    const createPage = (database: Database, storeWaitMs?: number) =>
      createMirrorPage({
        ...{ db: database, storeWaitMs, machine: 'shop-1', now: () => NOW, configuredMerchants: merchants },
        store: {
          get outage() {
            return outage
          },
        },
        mirrors: [createLateMirror(NOW)],
        merchants: createMerchantDirectory(merchants, () => NOW),
      })
    async function readSteps(page: ReturnType<typeof createPage>) {
      const response = (await page.respond({} as ConsoleRequest)) as unknown as { view: MirrorsView }
      const [{ parts, steps }] = response.view.mirrors as [MirrorsView['mirrors'][number]]
      expect(parts.length).to.be.above(5)
      expect(steps[1]!.text).to.include('pricing could not be read')
      return steps
    }
    const readCounted = async (page: ReturnType<typeof createPage>) =>
      (await readSteps(page)).map(({ incidents }) => incidents?.text ?? null)

    const outageOf = { reason: 'connection refused', beganAt: NOW, isUnreachable: true }

    async function addIncidents(count: number, change: object): Promise<void> {
      const place = { tenant_id: 'acme', mode: 'live', system: 'pricing', section: 'pricing' } as const
      const at = new Date(NOW - HOUR_MS).toISOString()
      const times = { began_at: at, last_at: at, ended_at: at, well_at: null }
      const details = { codes: '{}', causes: null, samples: '[]', impact: null, answers: 1 }
      const rows = Array.from({ length: count }, (_, index) => ({
        ...{ ...place, ...times, ...details, ...change },
        incident_id: `inc_${Object.values(change).join('')}${index}`,
      }))
      await db.insertInto('incidents').values(rows).execute()
    }

    it('counts the incidents of carts and checkouts at the system, whatever other systems had since', async () => {
      await addIncidents(2, {})
      await addIncidents(1, { section: 'checkout' })
      await addIncidents(120, { system: 'inventory', last_at: new Date(NOW - 1_000).toISOString() })
      const [, counted] = await readCounted(createPage(db, 60_000))
      expect(counted).to.include('3 incidents of pricing since')
    })

    it('counts no incidents of lists and pages, of others, or of before the part was read', async () => {
      await addIncidents(1, { section: 'price' })
      await addIncidents(1, { tenant_id: 'zenith' })
      await addIncidents(1, { mode: 'sandbox' })
      const before = new Date(NOW - 3 * HOUR_MS).toISOString()
      await addIncidents(1, { began_at: before, last_at: before, ended_at: before })
      const [, counted] = await readCounted(createPage(db, 60_000))
      expect(counted).to.include('none is known to have failed since')
    })

    it('counts more incidents than a list has', async () => {
      await addIncidents(120, {})
      const [, counted] = await readCounted(createPage(db, 60_000))
      expect(counted).to.include(': 120 incidents of pricing since')
    })

    it('counts the incidents of the store since the mirror stopped following it', async () => {
      const since = {
        tenant_id: EVERY_MERCHANT,
        system: '',
        section: 'store',
        last_at: new Date(NOW - 1_000).toISOString(),
      }
      expect((await readCounted(createPage(db, 60_000)))[0]).to.match(/^No .* is known to have been refused /)
      await addIncidents(2, since)
      expect((await readCounted(createPage(db, 60_000)))[0]).to.include('2 incidents of the database since')
    })

    it('says nothing of incidents when the store fails', async () => {
      await db.schema.alterTable('incidents').renameTo('incidents_gone').execute()
      expect(await readCounted(createPage(db, 60_000))).to.deep.equal([null, null])
    })

    it('waits for a store that hangs no longer than Now does, and asks it once', async () => {
      let queries = 0
      const hangs: KyselyPlugin = {
        transformQuery({ node }) {
          queries += 1
          return node
        },
        transformResult: () => new Promise(() => {}),
      }
      const page = createPage(db.withPlugin(hangs), 5)
      expect(await readCounted(page)).to.deep.equal([null, null])
      expect(await readCounted(page)).to.deep.equal([null, null])
      expect(queries).to.equal(1)
    })

    it('does not wait for a store that is known to be out of reach', async () => {
      outage = outageOf
      const hangs: KyselyPlugin = { transformQuery: ({ node }) => node, transformResult: () => new Promise(() => {}) }
      expect(await readCounted(createPage(db.withPlugin(hangs), 600_000))).to.deep.equal([null, null])
    })
  })
