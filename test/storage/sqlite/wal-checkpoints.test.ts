import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { sql } from 'kysely'
import { openDatabase } from '../../../src/storage/database.ts'
import { checkpoint } from '../../../src/storage/sqlite/wal-checkpoint-task.ts'
import { createWalCheckpoints } from '../../../src/storage/sqlite/wal-checkpoints.ts'
import { transact } from '../../../src/storage/transact.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

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

  for (const kind of ['statements', 'transactions'])
    it(`is used again from its beginning while ${kind} write all the time`, async () => {
      const db = await store!.open()
      const path = store!.url().slice('sqlite:'.length)
      await sql`create table blobs (bytes blob)`.execute(db)
      const insert = sql`insert into blobs values (zeroblob(12000))`
      const write = () =>
        kind === 'statements' ? insert.execute(db) : transact(db, (transaction) => insert.execute(transaction))
      // It shrinks when it is used again. Without the thread, a commit does that at 31 MiB.
      let bytesBefore = 0
      await until('it shrinks before a commit has moved it', async () => {
        for (let number = 0; number < 20; number++) {
          await write()
          await pause(1)
        }
        const bytes = statSync(`${path}-wal`).size
        const hasShrunk = bytes < bytesBefore && bytesBefore < 30 * MIB
        bytesBefore = bytes
        return hasShrunk
      })
    })

  it('is moved once more when something was committed meanwhile, and not after the store is closed', async () => {
    const sizesRead: number[] = []
    const checkpoints = createWalCheckpoints({
      storeFile: 'no store',
      bytes() {
        sizesRead.push(0)
        if (sizesRead.length === 1) checkpoints.request()
        return 0
      },
    })
    checkpoints.request()
    await until('it is looked at twice', () => sizesRead.length === 2)
    await checkpoints[Symbol.asyncDispose]()
    checkpoints.request()
    await pause(1_500)
    expect(sizesRead).to.have.lengthOf(2)
  })

  it('is beside the file that a symbolic link names', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'forecourt-link-'))
    const link = join(directory, 'link.db')
    await store!.open()
    const path = store!.url().slice('sqlite:'.length)
    symlinkSync(path, link)
    const db = await openDatabase(`sqlite:${link}`)
    expect([existsSync(`${path}-wal`), existsSync(`${link}-wal`)]).to.deep.equal([true, false])
    await db.destroy()
    rmSync(directory, { recursive: true })
  })

  it('is not created with an empty store, where a store was moved away', () => {
    const directory = mkdtempSync(join(tmpdir(), 'forecourt-checkpoint-'))
    const path = join(directory, 'moved #1.db')
    expect(() => checkpoint({ path })).to.throw('unable to open database file')
    expect(existsSync(path)).to.equal(false)
    rmSync(directory, { recursive: true })
  })
})
