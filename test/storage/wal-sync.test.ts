import { statSync } from 'node:fs'
import { expect } from 'chai'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { syncWal } from '../../src/storage/wal-sync.ts'
import { stores } from '../support/stores.ts'

const request = { merchant: 'acme', kind: 'secret', mode: 'live' } as const

for (const store of stores()) {
  describe(`syncing the log over ${store.name}`, () => {
    let db: Database

    before(async () => {
      db = await store.open()
      await issueApiKey(db, request)
    })
    after(() => store.close())

    it('syncs the file that holds the last commit', async () => {
      const synced: string[] = []
      await syncWal(db, async (file) => void synced.push(file))
      const expected = store.name === 'SQLite' ? [`${store.url().slice('sqlite:'.length)}-wal`] : []
      expect(synced).to.deep.equal(expected)
      for (const file of synced) expect(statSync(file).size).to.be.above(0)
      await syncWal(db)
    })
  })
}

describe('syncing the log of a store in memory', () => {
  it('does nothing', async () => {
    const db = await openDatabase('sqlite::memory:')
    await syncWal(db, () => Promise.reject(new Error('not expected')))
    await db.destroy()
  })
})
