import { statSync } from 'node:fs'
import { expect } from 'chai'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import { findWalFile, syncWal } from '../../../src/storage/sqlite/sync-wal.ts'
import { stores } from '../../support/stores.ts'

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
      const walFile = findWalFile(db)
      const expected = store.name === 'SQLite' ? `${store.url().slice('sqlite:'.length)}-wal` : undefined
      expect(walFile?.path).to.equal(expected)
      if (walFile) expect(statSync(walFile.path).size).to.be.above(0)
      await syncWal(db)
    })

    it('closes the file with the store', async () => {
      const other = await openDatabase(store.url())
      const walFile = findWalFile(other)
      await other.destroy()
      expect(await walFile?.sync().catch(({ code }) => code)).to.equal(walFile ? 'EBADF' : undefined)
    })
  })
}

describe('syncing the log of a store in memory', () => {
  it('does nothing', async () => {
    const db = await openDatabase('sqlite::memory:')
    expect(findWalFile(db)).to.equal(null)
    await syncWal(db)
    await db.destroy()
  })
})
