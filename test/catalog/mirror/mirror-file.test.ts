import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { openMirrorForReading, openMirrorForWriting } from '../../../src/catalog/mirror/mirror-file.ts'
import { createMirrorWriter } from '../../../src/catalog/mirror/mirror-writer.ts'
import { toRow } from '../mirror-rows.ts'

describe('a mirror file of another version', () => {
  let directory: string
  let path: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-version-'))
    path = join(directory, '1.db')
  })
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  it('is emptied and filled again', () => {
    using writing = openMirrorForWriting(path)
    createMirrorWriter(writing).apply({ sequence: 7, rows: [toRow('A')] })
    writing.exec('PRAGMA user_version = 1; ALTER TABLE products DROP COLUMN universal_details')
    expect(openMirrorForReading(path)).to.equal(null)
    using again = openMirrorForWriting(path)
    expect(again.prepare('SELECT * FROM products').all()).to.deep.equal([])
    expect(again.prepare('SELECT * FROM state').all()).to.deep.equal([])
    createMirrorWriter(again).apply({ sequence: 8, rows: [toRow('A')] })
    using reading = openMirrorForReading(path) as DatabaseSync
    expect(reading.prepare('SELECT sku FROM products').get()).to.deep.include({ sku: 'A' })
  })
})
