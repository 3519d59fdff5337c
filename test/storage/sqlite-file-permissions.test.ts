import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../src/storage/database.ts'

describe('the files of an SQLite store', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-rights-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const rightsOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

  it('are for its own account alone, those that SQLite makes as well', async () => {
    const file = join(directory, 'forecourt.db')
    const db = await openDatabase(`sqlite:${file}`)
    const rights = [file, `${file}-wal`, `${file}-shm`].map(rightsOf)
    await db.destroy()
    expect(rights).to.deep.equal(['600', '600', '600'])
  })

  it('keep the rights that somebody gave them', async () => {
    const file = join(directory, 'forecourt.db')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    const db = await openDatabase(`sqlite:${file}`)
    const rights = [file, `${file}-wal`].map(rightsOf)
    await db.destroy()
    expect(rights).to.deep.equal(['640', '640'])
  })
})
