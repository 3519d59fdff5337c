import { expect } from 'chai'
import type { UpstreamFailure } from '../../../src/errors.ts'
import {
  listCatalogParts,
  markCatalogPartFailing,
  markCatalogPartFilled,
  markCatalogPartRead,
  recordCatalogPart,
} from '../../../src/storage/catalog/catalog-part-states.ts'
import { listCatalogDocumentsAfter, putCatalogDocument } from '../../../src/storage/catalog/catalog-taxonomy.ts'
import type { Database } from '../../../src/storage/database.ts'
import { transact } from '../../../src/storage/transact.ts'
import type { Tenant } from '../../../src/tenant.ts'
import { stores } from '../../support/stores.ts'

const acme: Tenant = { merchant: 'acme', mode: 'live' }
const other: Tenant = { merchant: 'acme', mode: 'sandbox' }
const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 12, 0, second)).toISOString()

for (const store of stores()) {
  describe(`parts of a catalog on ${store.name}`, () => {
    let db: Database
    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    it('remember when they were read, filled, and why the last read failed', async () => {
      await markCatalogPartRead(db, acme, 'products', at(1))
      await markCatalogPartFilled(db, acme, 'products', at(2))
      await markCatalogPartFailing(db, acme, 'products', 'timeout', at(3))
      const filled = { name: 'products', filledAt: at(2) }
      const failing = { ...filled, asOf: at(1), failure: 'timeout', failingSince: at(3), endedFailure: null }
      expect(await listCatalogParts(db, acme)).to.deep.equal([failing])
      await markCatalogPartRead(db, acme, 'products', at(9))
      const endedFailure = { failure: 'timeout', from: at(3), until: at(9) }
      const healthy = { ...filled, asOf: at(9), failure: null, failingSince: null, endedFailure }
      expect(await listCatalogParts(db, acme)).to.deep.equal([healthy])
      expect(await listCatalogParts(db, other)).to.deep.equal([])
    })

    it('keep how reads failed last until others fail', async () => {
      const readEnded = async () => (await listCatalogParts(db, acme))[0]!.endedFailure
      const record = (second: number, failing: { failure: UpstreamFailure; since: string } | null) =>
        recordCatalogPart(db, acme, 'stock', { at: at(second), failing })
      await record(1, null)
      expect(await readEnded()).to.equal(null)
      await record(2, { failure: 'timeout', since: at(2) })
      await record(3, null)
      await record(4, null)
      const first = { failure: 'timeout', from: at(2), until: at(3) }
      expect(await readEnded()).to.deep.equal(first)
      await record(5, { failure: 'not_configured', since: at(5) })
      await record(6, null)
      expect(await readEnded()).to.deep.equal(first)
      await record(7, { failure: 'invalid', since: at(7) })
      expect(await readEnded()).to.deep.equal(first)
      await record(8, null)
      expect(await readEnded()).to.deep.equal({ failure: 'invalid', from: at(7), until: at(8) })
    })

    it('have documents with a new sequence number at each change', async () => {
      const put = (name: 'categories' | 'tags', document: string) =>
        transact(db, (transaction) => putCatalogDocument(transaction, acme, { name, document }, at(1)))
      const first = Date.parse(at(1)) * 1_000
      expect(await put('categories', '[]')).to.equal(true)
      expect(await put('tags', '[]')).to.equal(true)
      expect(await put('categories', '[]')).to.equal(false)
      expect(await put('categories', '[1]')).to.equal(true)
      expect(await listCatalogDocumentsAfter(db, acme, first + 2)).to.deep.equal([
        { name: 'categories', document: '[1]', sequence: first + 4 },
      ])
      expect(await listCatalogDocumentsAfter(db, acme, 0)).to.have.length(2)
      expect(await listCatalogDocumentsAfter(db, other, 0)).to.deep.equal([])
    })
  })
}
