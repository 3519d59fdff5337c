import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLog } from '../../src/operations/log.ts'

describe('the log', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-log-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('throws a clear error at start when it cannot be written', () => {
    expect(() => createLog({ file: directory, level: 'info' })).to.throw(/cannot be written \(EISDIR\).*log\.file/)
  })

  it('keeps the order of all lines, and writes all of them before it closes', async () => {
    const file = join(directory, 'a', 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    const long = 'ü'.repeat(40_000)
    for (let at = 0; at < 500; at++) log.writeAccessLine(`{"at":${at}}`)
    log.logger.warn({ token: 'secret-token', nested: { key: 'secret-key' } }, 'failed')
    log.writeAccessLine(`{"long":"${long}"}`)
    await log[Symbol.asyncDispose]()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines).to.have.lengthOf(502)
    expect(lines.slice(0, 500)).to.deep.equal(Array.from({ length: 500 }, (_, at) => `{"at":${at}}`))
    expect(JSON.parse(lines[500]!)).to.include({ msg: 'failed', token: '[redacted]' })
    expect(lines[500]).to.not.include('secret')
    expect(JSON.parse(lines[501]!)).to.deep.equal({ long })
  })

  it('is readable by its own account only', async () => {
    const file = join(directory, 'forecourt.log')
    await createLog({ file, level: 'info' })[Symbol.asyncDispose]()
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('ignores lines after it is closed', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    await log[Symbol.asyncDispose]()
    log.logger.error('late')
    log.writeAccessLine('{"msg":"late"}')
    expect(readFileSync(file, 'utf8')).to.equal('')
  })

  it('omits access lines when its level is above info', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'warn' })
    log.writeAccessLine('{"msg":"request"}')
    await log[Symbol.asyncDispose]()
    expect(readFileSync(file, 'utf8')).to.equal('')
  })
})
