import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'

describe('the files of a SQLite store', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-permissions-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const permissionsOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

  it('are readable by its account only, also those that SQLite creates', async () => {
    const file = join(directory, 'forecourt.db')
    const db = await openDatabase(`sqlite:${file}`)
    const permissions = [file, `${file}-wal`, `${file}-shm`].map(permissionsOf)
    await db.destroy()
    expect(permissions).to.deep.equal(['600', '600', '600'])
  })

  it('keep permissions that were set before', async () => {
    const file = join(directory, 'forecourt.db')
    writeFileSync(file, '')
    chmodSync(file, 0o640)
    const db = await openDatabase(`sqlite:${file}`)
    const permissions = [file, `${file}-wal`].map(permissionsOf)
    await db.destroy()
    expect(permissions).to.deep.equal(['640', '640'])
  })
})
