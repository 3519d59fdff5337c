import { expect } from 'chai'
import { listCatalogProductsAfter, putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { readCatalogSequence } from '../../../src/storage/catalog/catalog-sequences.ts'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { stores } from '../../support/stores.ts'

const acme: Tenant = { merchant: 'acme', mode: 'live' }
const AT = '2026-03-02T12:00:00.000Z'
/** The sequence numbers of changes that are made at {@link AT}. */
const FIRST = Date.parse(AT) * 1_000
const low = { availability: '{"band":"LOW"}', stock_as_of: null }
const named = (sku: string, name = sku) => ({ sku, product: JSON.stringify({ name }), active: 1 })

for (const store of stores()) {
  describe(`products for the mirror on ${store.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    const put = (parts: Parameters<typeof putCatalogParts>[2], tenant = acme) =>
      transact(db, (transaction) => putCatalogParts(transaction, tenant, parts, AT))
    const putAt = (at: string, parts: Parameters<typeof putCatalogParts>[2]) =>
      transact(db, (transaction) => putCatalogParts(transaction, acme, parts, at))
    const listAfter = async (sequence: number) =>
      (await listCatalogProductsAfter(db, acme, sequence, 100)).map(({ sku, sequence }) => [sku, sequence - FIRST])

    it('give each change the next sequence number, and list each product at its last change', async () => {
      await put([named('B'), named('A')])
      await put([named('A', 'again')])
      expect(await listAfter(0)).to.deep.equal([
        ['B', 2],
        ['A', 3],
      ])
      expect(await listAfter(FIRST + 2)).to.deep.equal([['A', 3]])
      expect(await readCatalogSequence(db, acme)).to.equal(FIRST + 3)
    })

    it('keep the other parts of a product when one changes', async () => {
      await put([named('A')])
      await put([{ sku: 'A', ...low }])
      await put([{ sku: 'A', price: '{"amount":"1.00"}', tax: 'null', price_as_of: AT }])
      await put([{ sku: 'A', description: 'Pad' }])
      await put([{ sku: 'A', popularity: 7 }])
      await put([{ sku: 'A', active: 0 }])
      expect(await listCatalogProductsAfter(db, acme, 0, 100)).to.deep.equal([
        {
          sku: 'A',
          sequence: FIRST + 6,
          product: '{"name":"A"}',
          active: false,
          price: '{"amount":"1.00"}',
          price_as_of: AT,
          tax: 'null',
          ...low,
          numbers: null,
          description: 'Pad',
          fitment: null,
          popularity: 7,
          ordinal: 1,
        },
      ])
    })

    it('have no new sequence number when nothing has changed', async () => {
      expect(await put([named('A'), named('B')])).to.have.members(['A', 'B'])
      expect(await put([named('A'), named('B', 'again'), named('C')])).to.have.members(['B', 'C'])
      expect(await put([{ sku: 'A', ...low }])).to.deep.equal(['A'])
      expect(await put([{ sku: 'A', ...low }])).to.deep.equal([])
      expect(await put([{ sku: 'A', availability: low.availability, stock_as_of: AT }])).to.deep.equal(['A'])
    })

    it('have the time of the change as their sequence number, which never goes back', async () => {
      const at = (seconds: number) => new Date(Date.parse(AT) + seconds * 1_000).toISOString()
      await putAt(at(0), [named('A')])
      await putAt(at(10), [named('B')])
      await putAt(at(5), [named('C')])
      await putAt(at(60), [named('D')])
      expect(await listAfter(0)).to.deep.equal([
        ['A', 1],
        ['B', 10_000_001],
        ['C', 10_000_002],
        ['D', 60_000_001],
      ])
    })

    it('leave out a product of which only the stock is known, until it is', async () => {
      await put([{ sku: 'A', ...low }])
      expect(await listAfter(0)).to.deep.equal([])
      await put([named('A')])
      expect(await listAfter(0)).to.deep.equal([['A', 2]])
    })

    it('are numbered in the order in which they were added, each once and without a gap', async () => {
      await put([{ sku: 'C', ...low }])
      await put([named('B'), named('D')])
      await put([named('B', 'again'), named('A')])
      await put([named('A')], { merchant: 'other', mode: 'live' })
      await transact(db, async (transaction) => {
        await putCatalogParts(transaction, acme, [named('X')], AT)
        throw new Error('undone')
      }).catch(() => {})
      await put([named('C')])
      const numbered = (await listCatalogProductsAfter(db, acme, 0, 100)).map(({ sku, ordinal }) => [ordinal, sku])
      expect(numbered.sort()).to.deep.equal([
        [1, 'B'],
        [2, 'D'],
        [3, 'A'],
        [4, 'C'],
      ])
    })

    it('belong to one tenant', async () => {
      await put([named('A')])
      await put([named('A')], { merchant: 'acme', mode: 'sandbox' })
      await put([named('A')], { merchant: 'other', mode: 'live' })
      expect(await listAfter(0)).to.deep.equal([['A', 1]])
      expect(await readCatalogSequence(db, { merchant: 'nobody', mode: 'live' })).to.equal(0)
    })

    it('show no sequence number before all smaller ones, whoever writes', async () => {
      const writers = Array.from({ length: 8 }, (_, writer) =>
        (async () => {
          for (let turn = 0; turn < 10; turn++)
            await put(
              Array.from({ length: 1 + ((writer + turn) % 5) }, (_, n) => named(`S-${(writer * turn + n) % 30}-${n}`)),
            )
        })(),
      )
      let isWriting = true
      const writing = Promise.all(writers).finally(() => {
        isWriting = false
      })
      // A follower that reads all along ends with what a last look finds.
      const copy = new Map<string, number>()
      let last = 0
      const follow = async () => {
        for (const { sku, sequence } of await listCatalogProductsAfter(db, acme, last, 3)) {
          copy.set(sku, sequence)
          last = sequence
        }
      }
      while (isWriting) await follow()
      await writing
      for (let before = -1; before !== last; ) {
        before = last
        await follow()
      }
      const final = await listCatalogProductsAfter(db, acme, 0, 1_000)
      expect([...copy].sort()).to.deep.equal(final.map(({ sku, sequence }) => [sku, sequence]).sort())
    })
  })
}
