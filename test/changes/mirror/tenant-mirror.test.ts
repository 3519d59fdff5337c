import { readdirSync, statSync } from 'node:fs'
import { expect } from 'chai'
import { markCatalogPartFailing } from '../../../src/storage/catalog/catalog-part-states.ts'
import { createLatch } from '../../support/latch.ts'
import { stores } from '../../support/stores.ts'
import { AT, acme, details, FIRST, find, type MirrorMachines, openMachines } from '../mirror-machines.ts'

for (const store of stores()) {
  describe(`the mirrors of a tenant on ${store.name}`, () => {
    let machines: MirrorMachines
    beforeEach(async () => {
      machines = await openMachines(store)
    })
    afterEach(() => machines[Symbol.asyncDispose]())

    it('have what the store has, on each machine', async () => {
      const { put, startProcess } = machines
      const [one, other] = [startProcess('one'), startProcess('other')]
      await put(Array.from({ length: 1_201 }, (_, number) => details(`S-${number}`, `pad ${number}x`)))
      await one.mirror.poll()
      await put([details('S-7', 'renamed disc'), details('S-8', 'pad 8x', 0)])
      await put([{ sku: 'S-9', availability: '{"band":"OUT","eta":null}', stock_as_of: null }])
      for (const process of [one, other]) {
        await process.mirror.poll()
        expect(process.mirror.status()).to.deep.include({
          rows: 1_201,
          sequence: FIRST + 1_204,
          lagMs: 0,
          failure: null,
        })
        expect([await find(process, 'disc'), await find(process, '7x'), await find(process, '8x')]).to.deep.equal([
          ['S-7'],
          [],
          [],
        ])
        const [withdrawn, out, missing] = process.mirror.products(['S-8', 'S-9', 'S-x'])
        expect(withdrawn!.product.active).to.equal(false)
        expect([out!.availability, missing]).to.deep.equal([{ band: 'OUT', eta: null }, null])
        expect([process.mirror.findSlug('s-7'), process.mirror.findSlug('s-8')]).to.deep.equal(['S-7', null])
      }
      expect(statSync(one.folder).mode & 0o777).to.equal(0o700)
    })

    it('serve when searches need not wait for the columns of the file, but are known to the others before', async () => {
      const { put, markRead, startProcess } = machines
      using reached = createLatch()
      using blocked = createLatch()
      await put([details('S-1')])
      await markRead('products')
      const { mirror } = startProcess('one', {
        beforePrepare() {
          reached.open()
          return blocked.opened
        },
      })
      const round = mirror.poll()
      await Promise.race([reached.opened, round])
      await mirror.registered
      expect([mirror.isServing, mirror.partState('products').isFilled]).to.deep.equal([false, false])
      blocked.open()
      await round
      expect([mirror.isServing, mirror.partState('products').isFilled]).to.deep.equal([true, true])
    })

    it('have the products of a catalog that was empty when searches need not wait for them', async () => {
      const { put, markRead, startProcess } = machines
      using reached = createLatch()
      using blocked = createLatch()
      let prepared = 0
      const process = startProcess('one', {
        async beforePrepare() {
          prepared += 1
          if (prepared === 1) return
          reached.open()
          await blocked.opened
        },
      })
      const { mirror } = process
      await mirror.poll()
      await put([details('S-1'), details('S-2')])
      await mirror.poll()
      expect([mirror.isServing, mirror.partState('products').isFilled, prepared]).to.deep.equal([true, false, 1])
      await markRead('products')
      const round = mirror.poll()
      await Promise.race([reached.opened, round])
      expect([mirror.isServing, mirror.partState('products').isFilled, prepared]).to.deep.equal([true, false, 2])
      blocked.open()
      await round
      expect([mirror.partState('products').isFilled, await find(process, 'pad')]).to.deep.equal([true, ['S-1', 'S-2']])
      await markRead('stock')
      await mirror.poll()
      expect([mirror.partState('stock').isFilled, prepared]).to.deep.equal([true, 2])
    })

    it('read ahead what has changed, once for each change', async () => {
      const { put, markRead, startProcess } = machines
      let read = 0
      const { mirror } = startProcess('one', {
        async beforeReadChanges() {
          read += 1
        },
      })
      await put([details('S-1')])
      await markRead('products')
      await mirror.poll()
      expect(read).to.equal(0)
      await put([details('S-1', 'renamed')])
      for (let round = 0; round < 3; round++) await mirror.poll()
      expect(read).to.equal(1)
    })

    it('do not serve from a file whose products cannot be found yet, because it is being filled', async () => {
      const { put, markRead, startProcess } = machines
      const states: boolean[] = []
      let rounds = 0
      const process = startProcess('one', {
        async beforeRead() {
          states.push(process.mirror.isServing)
          // The file reaches what the store had when it began, and more follows than one step writes.
          if (rounds++ === 0) await put(Array.from({ length: 5_000 }, (_, number) => details(`N-${number}`)))
        },
      })
      await put([details('S-1'), details('S-2')])
      await markRead('products')
      await process.mirror.poll()
      expect(states).to.deep.equal([false, false])
      expect([process.mirror.isServing, await find(process, 's-1')]).to.deep.equal([true, ['S-1']])
    })

    it('have categories and tags, in the order of all changes', async () => {
      const { put, putDocument, startProcess } = machines
      const process = startProcess('one')
      const category = {
        category_id: 'c',
        name: 'Brakes',
        slug: 'brakes',
        parent_id: null,
        position: 1,
        product_count: 7,
      }
      await put(Array.from({ length: 500 }, (_, number) => details(`S-${number}`)))
      await putDocument('categories', [category])
      await put([details('S-500')])
      await putDocument('tags', [{ tag: 'sale', name: 'Sale', count: null }])
      await process.mirror.poll()
      expect(process.mirror.readAllCategories()).to.deep.equal([category])
      expect(process.mirror.tags()).to.deep.equal([{ tag: 'sale', name: 'Sale', count: null }])
      expect(process.mirror.status().rows).to.equal(501)
    })

    it('page through the changes', async () => {
      const { put, startProcess } = machines
      const { mirror } = startProcess('one')
      await put([details('S-1'), details('S-2'), details('S-3')])
      await put([details('S-1', 'renamed', 0)])
      await mirror.poll()
      const { products, ...page } = mirror.changes({ after: FIRST + 1, limit: 2, offset: 0 })
      expect(page).to.deep.equal({ total: 3, has_more: true })
      expect(products.map(({ product, sequence }) => [product.sku, sequence])).to.deep.equal([
        ['S-2', FIRST + 2],
        ['S-3', FIRST + 3],
      ])
      const rest = mirror.changes({ after: FIRST + 1, limit: 2, offset: 2 })
      expect([rest.products[0]!.product.active, rest.total, rest.has_more]).to.deep.equal([false, 3, false])
      expect(mirror.changes({ after: FIRST + 9, limit: 2, offset: 0 })).to.deep.equal({
        products: [],
        total: 0,
        has_more: false,
      })
    })

    it('have the newer time of a price that did not change, which no sync lists', async () => {
      const { put, markRead, startProcess } = machines
      const [writer, reader] = [startProcess('one'), startProcess('one')]
      await put([details('S-1')])
      const read = (price_as_of: string) => put([{ sku: 'S-1', price: 'null', price_as_of }])
      await read('2026-03-02T12:00:00Z')
      await markRead('products')
      for (const { mirror } of [writer, reader]) await mirror.poll()
      const { sequence } = reader.mirror.status()
      // The reader keeps what was read twice.
      for (const { mirror } of [reader, reader, writer]) mirror.products(['S-1'])
      await read('2026-03-02T12:05:00Z')
      for (const { mirror, applied } of [writer, reader]) {
        applied.length = 0
        await mirror.poll()
        expect(mirror.products(['S-1'])[0]!.price_as_of).to.equal('2026-03-02T12:05:00Z')
        expect(applied.flat()).to.deep.equal([])
        expect(mirror.changes({ after: sequence, limit: 9, offset: 0 }).products).to.deep.equal([])
      }
    })

    it('tell which changes give other products other references', async () => {
      const { put, markRead, startProcess } = machines
      const [writer, reader] = [startProcess('one'), startProcess('one')]
      const numbers = JSON.stringify([{ kind: 'OEM', brand: null, number: 'X-1', customer_id: null }])
      const changes = {
        price: () => put([{ sku: 'S-1', price: 'null', price_as_of: AT }]),
        name: () => put([details('S-1', 'renamed')]),
        references: () => put([{ sku: 'S-1', numbers }]),
        withdrawal: () => put([details('S-1', 'renamed', 0)]),
        'new product': () => put([details('S-2')]),
      }
      await put([details('S-1')])
      await markRead('products')
      for (const { mirror } of [writer, reader]) await mirror.poll()
      const told: string[] = []
      for (const [name, change] of Object.entries(changes)) {
        await change()
        for (const process of [writer, reader]) {
          process.references.length = 0
          await process.mirror.poll()
          expect(process.references, name).to.have.length(1)
          if (process.references[0]) told.push(name)
        }
      }
      expect(told).to.deep.equal(['references', 'withdrawal', 'new product'].flatMap((name) => [name, name]))
    })

    it('are written by one process of a machine; the others notice what changed, and forget it', async () => {
      const { put, markRead, startProcess } = machines
      const [first, second] = [startProcess('one'), startProcess('one')]
      await put([details('S-1'), details('S-2')])
      await markRead('products')
      for (const process of [first, second]) {
        await process.mirror.poll()
        // When it registers, and when its file is current.
        expect(process.applied.splice(0)).to.deep.equal(['all', 'all'])
      }
      expect(second.mirror.products(['S-1'])[0]!.product.name).to.equal('brake pad')
      await put([details('S-1', 'renamed')])
      await second.mirror.poll()
      expect([second.applied, second.mirror.status().lagMs > 0 || second.mirror.isServing]).to.deep.equal([[], true])
      await first.mirror.poll()
      await second.mirror.poll()
      for (const { applied, mirror } of [first, second]) {
        expect(applied).to.deep.equal([['S-1']])
        expect(mirror.products(['S-1'])[0]!.product.name).to.equal('renamed')
      }
      await put(Array.from({ length: 1_001 }, (_, number) => details(`N-${number}`)))
      await first.mirror.poll()
      await second.mirror.poll()
      expect(second.applied).to.deep.equal([['S-1'], 'all'])
      await first.end()
      await put([details('S-3')])
      await second.mirror.poll()
      expect(second.mirror.products(['S-3'])[0]).to.not.equal(null)
    })

    it('are as current as the store was when they had all its changes, and grow old while they cannot follow', async () => {
      const { put, markRead, startProcess, db } = machines
      const [writer, reader] = [startProcess('one'), startProcess('one')]
      const states = () => [writer, reader].map(({ mirror }) => mirror.partState('products'))
      await put([details('S-1')])
      await writer.mirror.poll()
      expect(states()[0]).to.deep.equal({ isFilled: false, asOf: 0, failure: null })
      await markRead('products')
      for (const { mirror } of [writer, reader]) await mirror.poll()
      const first = { isFilled: true, asOf: Date.parse(AT), failure: null }
      expect(states()).to.deep.equal([first, first])
      const later = '2026-03-02T12:01:00.000Z'
      await put([details('S-1', 'renamed')])
      await markRead('products', later)
      await reader.mirror.poll()
      expect(states()[1]).to.deep.equal(first)
      for (const { mirror } of [writer, reader]) await mirror.poll()
      for (const state of states()) expect(state.asOf).to.equal(Date.parse(later))
      await db.schema.alterTable('catalog_parts').renameTo('gone').execute()
      expect(await writer.mirror.poll().catch(({ message }) => message)).to.match(/catalog_parts/)
      expect(states()[0]).to.deep.equal({ isFilled: true, asOf: Date.parse(later), failure: null })
      expect(writer.mirror.status().failure).to.deep.include({ since: machines.clock.ms })
    })

    it('say how reads of a part failed last, also after they succeed again and the process has started again', async () => {
      const { put, markRead, startProcess, db } = machines
      const first = startProcess('one')
      await put([details('S-1')])
      await markRead('products')
      await first.mirror.poll()
      expect(first.mirror.latestFailure('products')).to.equal(null)
      await markCatalogPartFailing(db, acme, 'products', 'timeout', AT)
      await first.mirror.poll()
      const failed = { failure: 'timeout', fromMs: Date.parse(AT), untilMs: null }
      expect(first.mirror.latestFailure('products')).to.deep.equal(failed)
      const later = '2026-03-02T12:02:00.000Z'
      await markRead('products', later)
      await first.mirror.poll()
      await first.end()
      const next = startProcess('one')
      await next.mirror.poll()
      expect(next.mirror.latestFailure('products')).to.deep.equal({ ...failed, untilMs: Date.parse(later) })
    })

    it('leave no lock and no thread behind', async () => {
      const process = machines.startProcess('one')
      await machines.put([details('S-1')])
      await process.mirror.poll()
      await process.end()
      expect(readdirSync(process.folder).filter((name) => /-wal$|-shm$/.test(name))).to.deep.equal([])
    })
  })
}
