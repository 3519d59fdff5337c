import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createWorkFolder } from '../../../src/bin/package/create-work-folder.ts'

describe('the folder in which a package is built', () => {
  it('replaces those of processes that were killed, and leaves all else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-dist-'))
    try {
      const dist = join(folder, 'dist')
      const first = createWorkFolder(dist)
      const { pid: ended } = spawnSync(process.execPath, ['--version'])
      for (const name of [`pack-${ended}-AbC123`, 'pack-AbC123', 'client'])
        mkdirSync(join(dist, name, 'package'), { recursive: true })
      writeFileSync(join(dist, 'forecourt-server-0.2.0.tgz'), '')
      const second = createWorkFolder(dist)
      const expected = ['client', 'forecourt-server-0.2.0.tgz', first, second].map((path) =>
        path.replace(`${dist}/`, ''),
      )
      expect(readdirSync(dist).sort()).to.deep.equal(expected.sort())
      expect(first).to.match(new RegExp(`/pack-${process.pid}-\\w{6}$`))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
