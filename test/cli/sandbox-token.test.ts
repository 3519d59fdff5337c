import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ensureSandboxToken } from '../../src/cli/sandbox-token.ts'

describe('the token of the sandbox', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'forecourt-token-'))
    writeFileSync(join(root, 'file'), '')
  })
  after(() => rmSync(root, { recursive: true }))

  it('is created once', () => {
    const token = ensureSandboxToken(join(root, 'data'))
    expect(token).to.match(/^\w{32}$/)
    expect(ensureSandboxToken(join(root, 'data'))).to.equal(token)
  })

  for (const path of ['file', 'file/below'])
    it(`says that a file is not a folder: FORECOURT_DATA=${path}`, () => {
      expect(() => ensureSandboxToken(join(root, path)))
        .to.throw(Error)
        .with.property('message', `${join(root, 'file')} is not a folder. Set FORECOURT_DATA to a writable directory.`)
    })
})
