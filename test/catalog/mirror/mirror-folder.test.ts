import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  deleteMirror,
  deleteOtherFormats,
  nextMirror,
  prepareMirrorFolder,
  readCurrentMirror,
  setCurrentMirror,
  useMirror,
} from '../../../src/catalog/mirror/file/mirror-folder.ts'

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

  describe('of other formats', () => {
    const DAY_MS = 86_400_000
    const later = () => Date.now() + DAY_MS + 60_000
    let other: string
    let former: string
    beforeEach(() => {
      other = join(folder, '../format-1')
      former = join(folder, '..')
      mkdirSync(other)
      for (const file of [join(other, '1.db'), join(former, '1.db'), join(former, 'current'), join(folder, '1.db')])
        writeFileSync(file, '')
    })
    const remaining = () => [other, join(former, '1.db'), join(former, 'current'), join(folder, '1.db')].map(existsSync)

    it('stay for a day after their last use, and are then deleted', () => {
      deleteOtherFormats(folder, Date.now())
      expect(remaining()).to.deep.equal([true, true, true, true])
      deleteOtherFormats(folder, later())
      expect(remaining()).to.deep.equal([false, false, false, true])
      deleteOtherFormats(folder, later())
    })

    it('stay while a process uses them, and for a day after that', () => {
      const long = new Date(Date.now() - 9 * DAY_MS)
      const uses = [other, former].map((place) => useMirror(join(place, '1.db'))!)
      for (const place of [other, former])
        for (const name of readdirSync(place)) utimesSync(join(place, name), long, long)
      deleteOtherFormats(folder, Date.now())
      expect(remaining()).to.deep.equal([true, true, true, true])
      for (const use of uses) use[Symbol.dispose]()
      deleteOtherFormats(folder, Date.now())
      expect(remaining()).to.deep.equal([true, true, true, true])
      deleteOtherFormats(folder, later())
      expect(remaining()).to.deep.equal([false, false, false, true])
    })
  })

  it('loses the files beside a mirror with it', () => {
    const path = readCurrentMirror(folder)
    for (const suffix of ['', '-wal', '-shm', '.lock']) writeFileSync(path + suffix, '')
    deleteMirror(path)
    deleteMirror(path)
    for (const suffix of ['', '-wal', '-shm', '.lock']) expect(existsSync(path + suffix)).to.equal(false)
  })
})
