import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { sql } from 'kysely'
import { transact } from '../../src/storage/transact.ts'
import { checkpoint } from '../../src/storage/wal-checkpoint-task.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'

const MIB = 1_024 * 1_024

describe('the write-ahead log of an SQLite store', () => {
  const [store] = stores()
  afterEach(() => store!.close())

  it('is moved into the file while the store is open, and is gone when it is closed', async () => {
    const db = await store!.open()
    const path = store!.url().slice('sqlite:'.length)
    await sql`create table blobs (bytes blob)`.execute(db)
    const write = () =>
      transact(db, (transaction) => sql`insert into blobs values (zeroblob(${MIB}))`.execute(transaction))
    const logBytes = () => statSync(`${path}-wal`).size
    for (let number = 0; number < 6; number++) await write()
    await until('the file has what was written', () => statSync(path).size > 6 * MIB)
    await until('the log is used again', async () => {
      const before = logBytes()
      await write()
      return logBytes() === before
    })
    await db.destroy()
    expect(existsSync(`${path}-wal`)).to.equal(false)
  })
  it('is not created with an empty store, where a store was moved away', () => {
    const directory = mkdtempSync(join(tmpdir(), 'forecourt-checkpoint-'))
    const path = join(directory, 'moved #1.db')
    expect(() => checkpoint({ path })).to.throw('unable to open database file')
    expect(existsSync(path)).to.equal(false)
    rmSync(directory, { recursive: true })
  })
})
