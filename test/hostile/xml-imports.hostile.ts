import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const of = ['--merchant', 'acme', '--mode', 'sandbox']
/** Less than each file: a reader that keeps one in memory is out of it. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=64' }
const MEBIBYTE = 'x'.repeat(1_048_576)

function* repeated(start: string, part: string, count: number, end = ''): Generator<string> {
  yield start
  for (let written = 0; written < count; written++) yield part
  yield end
}

describe('hostile XML files', () => {
  let server: ServerProcess

  before(async () => {
    server = await startServerProcess()
    const { code, stderr } = await bring('good.csv', ['sku,number,kind\nBP-1001,GOOD-1,OEM\n'], 'csv')
    expect([code, stderr]).to.deep.equal([0, ''])
  })
  after(() => server[Symbol.asyncDispose]())

  async function bring(name: string, parts: Iterable<string>, format = 'pies') {
    const file = join(server.directory, name)
    await pipeline(Readable.from(parts), createWriteStream(file))
    const command = ['references', 'import', file, '--format', format, ...of, '--config', server.configFile]
    return server.cliWith(SMALL_HEAP, ...command)
  }

  const entities = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};&e${at};">`).join('')
  const start = '<PIES><Items><Item><PartNumber>A</PartNumber>'
  const files: [string, Iterable<string>, RegExp][] = [
    [
      'a text of 80 MiB',
      repeated(`${start}<PartInterchangeInfo>`, MEBIBYTE, 80),
      /element that is too large|more than 1048576 bytes/,
    ],
    ['an attribute of 80 MiB', repeated(`${start}<PartInterchangeInfo a="`, MEBIBYTE, 80), /more than 1048576 bytes/],
    ['a comment of 80 MiB', repeated(`${start}<!--`, MEBIBYTE, 80), /more than 1048576 bytes/],
    ['a hundred thousand elements in each other', repeated(start, '<a>', 100_000), /more than 32 deep/],
    ['a million attributes', repeated(`${start}<a `, 'b="1" ', 1_000_000), /is not valid XML|more than 1048576/],
    ['a million children of one record', repeated(start, '<a>1</a>', 1_000_000), /element that is too large/],
    ['entities that multiply', [`<!DOCTYPE PIES [<!ENTITY e0 "x">${entities}]><PIES>&e30;</PIES>`], /document type/],
    ['an entity from a file', ['<!DOCTYPE PIES [<!ENTITY f SYSTEM "/etc/passwd">]><PIES>&f;</PIES>'], /document type/],
    ['a file that ends in the middle', repeated('<PIES><Items>', '<Item/>', 20_000), /is not valid XML/],
  ]
  for (const [what, parts, mistake] of files) {
    it(`refuses ${what}, in little memory`, async () => {
      const { code, stdout, stderr } = await bring('hostile.xml', parts)
      expect([code, stdout], stderr.slice(0, 2_000)).to.deep.equal([1, ''])
      expect(stderr)
        .to.match(/^line \d+: /)
        .and.match(mistake)
    })
  }

  it('leave the import as it was', async () => {
    const exported = await server.cli('references', 'export', ...of, '--config', server.configFile)
    expect(exported.stdout).to.include('GOOD-1')
  })

  it('reads a large file of small records in little memory', async () => {
    const number = '<PartInterchange><TypeCode>O</TypeCode><PartNumber>N-1</PartNumber></PartInterchange>'
    const item = `<Item><PartNumber>A</PartNumber><Descriptions>${'d'.repeat(4_000)}</Descriptions><PartInterchangeInfo>${number}</PartInterchangeInfo></Item>\n`
    const { code, stderr } = await bring('large.xml', repeated('<PIES><Items>', item, 20_000, '</Items></PIES>'))
    expect([code, stderr.includes('19,999 duplicate lines')], stderr.slice(0, 2_000)).to.deep.equal([0, true])
  })
})
