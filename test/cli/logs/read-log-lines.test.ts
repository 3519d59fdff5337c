import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { readLogLines } from '../../../src/cli/logs/read-log-lines.ts'

describe('the lines of a log', () => {
  let directory: string
  let file: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-lines-'))
    file = join(directory, 'forecourt.log')
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('are read whole, across chunks, to the end', async () => {
    const long = 'ü'.repeat(50_000)
    writeFileSync(file, `one\n${long}\ntwo\ncut off`)
    const lines = await Array.fromAsync(readLogLines(file, { follow: false }))
    expect(lines).to.deep.equal(['one', long, 'two', 'cut off', null])
  })

  it('are cut when they are long, and the lines after them are whole', async () => {
    const long = `${'x'.repeat(1_048_575)}ü${'y'.repeat(3_000_000)}`
    writeFileSync(file, `one\n${long}\ntwo\n${long}`)
    const cut = `${'x'.repeat(1_048_575)} … [cut: the line has 4048577 bytes]`
    const lines = await Array.fromAsync(readLogLines(file, { follow: false }))
    expect(lines).to.deep.equal(['one', cut, 'two', cut, null])
  })

  it('are followed to the last one of a moved file, even if it has no end', async () => {
    writeFileSync(file, 'one\ncut off')
    const steps = [() => renameSync(file, `${file}.1`), () => writeFileSync(file, 'x\n')]
    const wait = async () => steps.shift()?.()
    const read: (string | null)[] = []
    for await (const line of readLogLines(file, { follow: true, wait })) {
      read.push(line)
      if (line === 'x') break
    }
    expect(read).to.deep.equal(['one', null, 'cut off', 'x'])
  })

  it('are followed across a moved file, a late line in it, and a truncated file', async () => {
    writeFileSync(file, 'one\n')
    const steps = [
      () => appendFileSync(file, 'two\nha'),
      () => appendFileSync(file, 'lf\n'),
      () => {
        renameSync(file, `${file}.1`)
        appendFileSync(`${file}.1`, 'late\n')
      },
      () => writeFileSync(file, 'of the new file\n'),
      () => truncateSync(file),
      () => appendFileSync(file, 'x\n'),
    ]
    const wait = async () => steps.shift()?.()
    const read: (string | null)[] = []
    for await (const line of readLogLines(file, { follow: true, wait })) {
      read.push(line)
      if (line === 'x') break
    }
    expect(read).to.deep.equal(['one', null, 'two', 'half', 'late', 'of the new file', 'x'])
  })
})
