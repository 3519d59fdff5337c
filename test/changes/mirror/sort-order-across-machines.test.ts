import { join } from 'node:path'
import { expect } from 'chai'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import { rebuildMirror } from '../../../src/changes/mirror/rebuild-mirror.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { stores } from '../../support/stores.ts'
import { acme, details, listSkus, type MirrorMachines, type MirrorProcess, openMachines } from '../mirror-machines.ts'

const SORTS = ['newest', 'name', 'price', '-price', 'relevance'] as const
const SKUS = ['C', 'A', 'D', 'B']
const taxed = (sku: string) => ({ sku, tax: JSON.stringify({ sku, code: 'GCT', name: 'GCT', rate: '0.15' }) })

for (const store of stores()) {
  describe(`the order of lists on ${store.name}`, () => {
    let machines: MirrorMachines
    beforeEach(async () => {
      machines = await openMachines(store)
    })
    afterEach(() => machines[Symbol.asyncDispose]())

    const list = async (process: MirrorProcess, request: Partial<SearchRequest>) =>
      (await listSkus(process, request)).join('')
    async function ordersOf(process: MirrorProcess) {
      await process.mirror.poll()
      const sorted = SORTS.map(async (sort) => [sort, await list(process, { sort })] as const)
      return { ...Object.fromEntries(await Promise.all(sorted)), words: await list(process, { q: 'pad' }) }
    }
    const rebuild = ({ folder, threads }: MirrorProcess) =>
      rebuildMirror({ db: machines.db, tenant: acme, dataDirectory: join(folder, '../..'), threads })

    it('is the same on each machine and after a rebuild, also of equal products', async () => {
      const following = machines.startProcess('following')
      for (const sku of SKUS) {
        await machines.put([details(sku)])
        await machines.put([{ sku, price: JSON.stringify(toRow(sku, { listPrice: '5.00' }).price), price_as_of: null }])
        await following.mirror.poll()
      }
      // A file that is filled from now on reads them in another order.
      for (const sku of ['D', 'C', 'B', 'A']) await machines.put([taxed(sku)])
      const expected = {
        newest: 'BDAC',
        name: 'CADB',
        price: 'BDAC',
        '-price': 'BDAC',
        relevance: 'BDAC',
        words: 'BDAC',
      }
      expect(await ordersOf(following)).to.deep.equal(expected)
      expect(await ordersOf(machines.startProcess('filled later'))).to.deep.equal(expected)
      await rebuild(following)
      expect(await ordersOf(following)).to.deep.equal(expected)
      expect(following.mirror.status().rows).to.equal(4)
    })

    it('is the same for products that an earlier release has added', async () => {
      await machines.put(SKUS.map((sku) => details(sku)))
      await machines.db.updateTable('catalog_products').set({ ordinal: null }).execute()
      await machines.db.updateTable('catalog_sequences').set({ products: 0 }).execute()
      const [one, other] = [machines.startProcess('one'), machines.startProcess('other')]
      const expected = await ordersOf(one)
      await machines.put([taxed('A')])
      expect(await ordersOf(other)).to.deep.equal(expected)
      expect(await ordersOf(one)).to.deep.equal(expected)
    })
  })
}
