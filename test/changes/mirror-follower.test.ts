import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createMirrorThreads, type MirrorThreads } from '../../src/catalog/mirror/mirror-threads.ts'
import { type MirrorFollower, startMirrorFollower } from '../../src/changes/mirror-follower.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import type { Database } from '../../src/storage/database.ts'
import { transact } from '../../src/storage/transact.ts'
import type { Tenant } from '../../src/tenant.ts'
import { toRow } from '../catalog/mirror-rows.ts'
import { stores } from '../support/stores.ts'

const acme: Tenant = { merchant: 'acme', mode: 'live' }
const AT = '2026-03-02T12:00:00.000Z'
/** The sequence numbers of changes that are made at {@link AT}. */
const FIRST = Date.parse(AT) * 1_000

for (const store of stores()) {
  describe(`mirror files that follow a store on ${store.name}`, () => {
    let db: Database
    let directory: string
    let started: AsyncDisposableStack

    beforeEach(async () => {
      db = await store.open()
      directory = mkdtempSync(join(tmpdir(), 'forecourt-follower-'))
      started = new AsyncDisposableStack()
    })
    afterEach(async () => {
      await started.disposeAsync()
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    })

    const onError = (error: unknown) => {
      throw error
    }
    /** A process of a machine, which has its files in a folder. */
    function startProcess(machine: string): { follower: MirrorFollower; threads: MirrorThreads; path: string } {
      const path = join(directory, `${machine}.db`)
      const threads = started.use(createMirrorThreads())
      const follower = started.use(startMirrorFollower({ db, tenant: acme, path, threads, onError, intervalMs: null }))
      return { follower, threads, path }
    }
    const put = (parts: Parameters<typeof putCatalogParts>[2]) =>
      transact(db, (transaction) => putCatalogParts(transaction, acme, parts, AT))
    const details = (sku: string, name = 'brake pad', active = 1) => ({
      sku,
      product: JSON.stringify(toRow(sku, { product: { name } }).product),
      active,
    })
    const find = async ({ threads, path }: ReturnType<typeof startProcess>, q: string) =>
      (await threads.search(path, { q, limit: 50, offset: 0 })).products.map(({ product }) => product.sku).sort()

    it('have what the store has, on each machine', async () => {
      const [one, other] = [startProcess('one'), startProcess('other')]
      await put(Array.from({ length: 1_201 }, (_, number) => details(`S-${number}`, `pad ${number}x`)))
      await one.follower.poll()
      await put([details('S-7', 'renamed disc'), details('S-8', 'pad 8x', 0)])
      await put([{ sku: 'S-9', availability: '{"band":"OUT","eta":null}', stock_as_of: null }])
      for (const process of [one, other]) {
        await process.follower.poll()
        expect(process.follower.sequence).to.equal(FIRST + 1_204)
        expect([await find(process, 'disc'), await find(process, '7x'), await find(process, '8x')]).to.deep.equal([
          ['S-7'],
          [],
          [],
        ])
        const { products, total } = await process.threads.search(process.path, { q: '9x', limit: 1, offset: 0 })
        expect([total, products[0]!.availability]).to.deep.equal([1, { band: 'OUT', eta: null }])
      }
    })

    it('are written by one of the processes of a machine, and by another when that one has ended', async () => {
      const [first, second] = [startProcess('one'), startProcess('one')]
      await put([details('S-1')])
      await first.follower.poll()
      await put([details('S-2')])
      await second.follower.poll()
      expect(second.follower.sequence).to.equal(FIRST + 1)
      await first.follower[Symbol.asyncDispose]()
      await second.follower.poll()
      expect(await find(second, 'pad')).to.deep.equal(['S-1', 'S-2'])
    })

    it('come back when they are deleted', async () => {
      const before = startProcess('one')
      await put([details('S-1')])
      await before.follower.poll()
      await before.follower[Symbol.asyncDispose]()
      await before.threads[Symbol.asyncDispose]()
      for (const suffix of ['', '-wal', '-shm']) rmSync(before.path + suffix, { force: true })
      const after = startProcess('one')
      await after.follower.poll()
      expect(await find(after, 'pad')).to.deep.equal(['S-1'])
    })
  })
}
