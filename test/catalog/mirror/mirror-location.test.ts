import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  deleteMirror,
  nextMirror,
  prepareMirrorFolder,
  readCurrentMirror,
  setCurrentMirror,
} from '../../../src/catalog/mirror/file/mirror-location.ts'

describe('the folder of a tenant’s mirrors', () => {
  let data: string
  let folder: string
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'forecourt-mirrors-'))
    folder = prepareMirrorFolder(data, { merchant: 'acme', mode: 'live' })
  })
  afterEach(() => rmSync(data, { recursive: true, force: true }))

  it('has a first file, and a next one beside it that becomes the current one', () => {
    const first = readCurrentMirror(folder)
    const next = nextMirror(folder)
    expect([first, next]).to.deep.equal([join(folder, '1.db'), join(folder, '2.db')])
    writeFileSync(next, '')
    setCurrentMirror(folder, next)
    expect(readCurrentMirror(folder)).to.equal(next)
    expect(nextMirror(folder)).to.equal(join(folder, '3.db'))
  })

  it('never builds a new file under the name of the current one, even when that was deleted', () => {
    setCurrentMirror(folder, join(folder, '4.db'))
    expect(nextMirror(folder)).to.equal(join(folder, '5.db'))
  })

  it('does not follow a pointer out of the folder', () => {
    writeFileSync(join(folder, 'current'), '../../other/1.db')
    expect(readCurrentMirror(folder)).to.equal(join(folder, '1.db'))
  })

  it('loses the files beside a mirror with it', () => {
    const path = readCurrentMirror(folder)
    for (const suffix of ['', '-wal', '-shm', '.lock']) writeFileSync(path + suffix, '')
    deleteMirror(path)
    deleteMirror(path)
    for (const suffix of ['', '-wal', '-shm', '.lock']) expect(existsSync(path + suffix)).to.equal(false)
  })
})
