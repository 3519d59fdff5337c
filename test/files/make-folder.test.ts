import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeFolder } from '../../src/files/make-folder.ts'

describe('a folder that is made', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'forecourt-folder-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  it('has those above it, with the same rights, and is left as it is the second time', async () => {
    for (let time = 0; time < 2; time++) makeFolder(join(root, 'a/b/c'), 0o700)
    for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, path))).mode & 0o777).to.equal(0o700)
    await symlink(join(root, 'a'), join(root, 'link'))
    makeFolder(join(root, 'link/d'))
    expect((await stat(join(root, 'a/d'))).isDirectory()).to.equal(true)
  })

  it('is refused where there is a file, or none can be', async () => {
    await writeFile(join(root, 'file'), '')
    expect(() => makeFolder(join(root, 'file'))).to.throw('EEXIST')
    expect(() => makeFolder(join(root, 'file/below'))).to.throw('ENOTDIR')
    await symlink(join(root, 'nowhere'), join(root, 'dangling'))
    expect(() => makeFolder(join(root, 'dangling'))).to.throw('ENOENT')
    expect(() => makeFolder('/proc/forecourt/data')).to.throw(/ENOENT|EACCES/)
  })
})
