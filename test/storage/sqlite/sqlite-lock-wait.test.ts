import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { CompiledQuery } from 'kysely'
import { createSqliteDriver } from '../../../src/storage/sqlite/sqlite-driver.ts'

describe('a statement that finds an SQLite store locked', () => {
  let directory: string
  let database: DatabaseSync
  let other: DatabaseSync

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-driver-'))
    const path = join(directory, 'store.db')
    database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; pragma busy_timeout = 0; create table numbers (number integer)')
    other = new DatabaseSync(path)
    other.exec('begin immediate')
  })

  afterEach(() => {
    other.close()
    rmSync(directory, { recursive: true })
  })

  /** Inserts a row, by default with a busy timeout of 0, while `isRunning` says whether a checkpoint is running. */
  async function insert(isRunning: () => boolean, busyTimeout = { ms: 0 }): Promise<bigint | undefined> {
    const checkpoints = { request() {}, isRunning, async [Symbol.asyncDispose]() {} }
    const parts = { database, busyTimeout, walFile: null, checkpoints, onFailure() {} }
    const driver = createSqliteDriver(parts)
    const connection = await driver.acquireConnection()
    try {
      return (await connection.executeQuery(CompiledQuery.raw('insert into numbers values (1)'))).numAffectedRows
    } finally {
      await driver.releaseConnection(connection)
      await driver.destroy()
    }
  }

  it('fails when its time is over', async () => {
    const error = await insert(() => false).catch((thrown: Error) => thrown)
    expect(String(error)).to.equal('Error: database is locked')
  })

  it('waits longer while this process runs a checkpoint, which has an end', async () => {
    let asked = 0
    const isRunning = () => {
      asked += 1
      if (asked === 3) other.exec('commit')
      return true
    }
    expect([await insert(isRunning), asked]).to.deep.equal([1n, 3])
  })

  it('has its usual time after the checkpoint, for which other processes have waited too', async () => {
    const busyTimeout = { ms: 0 }
    let asked = 0
    const isRunning = () => {
      asked += 1
      busyTimeout.ms = 60_000
      if (asked === 3) other.exec('commit')
      return asked === 1
    }
    expect([await insert(isRunning, busyTimeout), asked]).to.deep.equal([1n, 3])
  })
})
