import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLog } from '../../src/operations/log.ts'
import { until } from '../support/until.ts'

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

  it('writes levels as names and times as RFC 3339, if asked', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'info', levelNames: true, rfc3339: true })
    log.writeAccessLine(`${log.startAccessLine(Date.parse('2026-11-21T14:05:00.000Z'))},"msg":"request"}`)
    log.logger.warn('failed')
    await log[Symbol.asyncDispose]()
    const [access, warning] = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(access).to.equal('{"level":"info","time":"2026-11-21T14:05:00.000Z","msg":"request"}')
    expect(warning).to.match(/^\{"level":"warn","time":"\d{4}-\d\d-\d\dT[\d:.]+Z","msg":"failed"\}$/)
  })

  it('writes levels as numbers and times as milliseconds by default', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    log.writeAccessLine(`${log.startAccessLine(1_700_000_000_000)},"msg":"request"}`)
    await log[Symbol.asyncDispose]()
    expect(readFileSync(file, 'utf8')).to.equal('{"level":30,"time":1700000000000,"msg":"request"}\n')
  })

  it('loses no line when its file is moved and opened again', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    const moved = [1, 2, 3].map((at) => join(directory, `forecourt.log.${at}`))
    for (let at = 0, of = 0; at < 4_000; at++) {
      log.writeAccessLine(`{"at":${at}}`)
      if (at % 1_000 !== 999 || of === moved.length) continue
      log.logger.info('before the move')
      await new Promise((resolve) => setImmediate(resolve))
      if (statSync(file, { throwIfNoEntry: false })) renameSync(file, moved[of++]!)
      log.reopen()
      // Twice in a row, as two signals.
      log.reopen()
    }
    await log[Symbol.asyncDispose]()
    const texts = [...moved, file].map((path) => readFileSync(path, 'utf8'))
    const lines = texts.join('').trimEnd().split('\n')
    const numbers = lines.map((line) => (JSON.parse(line) as { at?: number }).at).filter((at) => at !== undefined)
    expect(numbers).to.deep.equal(Array.from({ length: 4_000 }, (_, at) => at))
    expect(texts.at(-1)).to.include('"at":3999')
    expect(statSync(file).mode & 0o777).to.equal(0o600)
  })

  it('closes right after it was told to open its file again', async () => {
    const file = join(directory, 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    log.logger.info('first')
    await until('the file is open', () => readFileSync(file, 'utf8').includes('first'))
    log.logger.info('before')
    log.reopen()
    log.logger.info('after')
    await log[Symbol.asyncDispose]()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(['first', 'before', 'after'])
  })

  it('goes on with its file when it cannot open it again', async () => {
    const folder = join(directory, 'logs')
    const file = join(folder, 'forecourt.log')
    const log = createLog({ file, level: 'info' })
    log.logger.info('before')
    await until('the file is open', () => readFileSync(file, 'utf8').includes('before'))
    renameSync(folder, join(directory, 'moved'))
    mkdirSync(file, { recursive: true })
    log.reopen()
    log.logger.info('after')
    await log[Symbol.asyncDispose]()
    const messages = readFileSync(join(directory, 'moved', 'forecourt.log'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(messages.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal([
      'before',
      'the log could not be opened again',
      'after',
    ])
  })
})
