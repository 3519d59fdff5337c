import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { formatLogLine } from '../../../src/cli/logs/format-log-line.ts'
import { parseLogLine } from '../../../src/cli/logs/log-line.ts'
import { createCommandHost } from '../../support/command-host.ts'

const lines = [
  '{"level":30,"time":1700000000000,"msg":"listening","version":"1"}',
  '{"level":30,"time":1700000001000,"msg":"request","request_id":"AbC-1","status":200}',
  '{"level":"warn","time":"2023-11-14T22:13:22.000Z","msg":"upstream failed","request_id":"AbC-1","system":"pricing"}',
  '{"level":50,"time":1700000003000,"msg":"failed","request_id":"AbC-2"}',
  '(node:1) Warning: something',
]

describe('forecourt logs', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  const logs = (...args: string[]) => host.run(['logs', ...args], { cwd })
  const numbersOf = ({ out }: { out: string }) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => lines.indexOf(line))

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-logs-'))
  })
  after(async () => {
    host.stop()
    await rm(cwd, { recursive: true, force: true })
  })

  it('says where the log is when there is no file', async () => {
    const { code, err } = await logs()
    expect([code, err]).to.match(/^2,There is no log at .*data\/forecourt\.log yet\. /)
    const file = join(cwd, 'other.yaml')
    const system = '{ adapter: rest, address: "http://127.0.0.1:1", token: t }'
    await writeFile(
      file,
      `merchants:\n  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, live: { inventory: ${system} } }\n`,
    )
    const without = await logs('--config', file)
    expect([without.code, without.err]).to.match(/^2,.*other\.yaml has no log\.file, so .*journalctl/)
  })

  it('prints all lines, those of a request, those of a level, and the last ones', async () => {
    const file = join(cwd, 'forecourt.yaml')
    const system = '{ adapter: rest, address: "http://127.0.0.1:1", token: t }'
    await writeFile(join(cwd, 'acme.log'), `${lines.join('\n')}\n`)
    await writeFile(
      file,
      `log: { file: acme.log }\nmerchants:\n  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, live: { inventory: ${system} } }\n`,
    )
    expect(numbersOf(await logs())).to.deep.equal([0, 1, 2, 3, 4])
    expect(numbersOf(await logs('--request', 'abc -1'))).to.deep.equal([1, 2])
    expect(numbersOf(await logs('--level', 'warn'))).to.deep.equal([2, 3])
    expect(numbersOf(await logs('--level', 'info', '--lines', '2'))).to.deep.equal([2, 3])
    expect((await logs('--request', 'nobody')).out).to.equal('')
    const { out } = await logs('--pretty', '--request', 'ABC-2')
    expect(out).to.match(/^2023-11-1[45]T\d\d:13:23\.000[+-]\d\d:\d\d ERROR failed request_id=AbC-2\n$/)
  })

  it('formats lines without characters that a terminal obeys', () => {
    const line = {
      level: 40,
      time: 'then',
      msg: 'a\u001b[2Jb',
      name: 'ü "x"\u009b',
      err: { stack: 'E: x\u0007\n  at y' },
    }
    expect(formatLogLine(parseLogLine(JSON.stringify(line)))).to.equal(
      'then WARN  a\\u001b[2Jb name="ü \\"x\\"\\u009b"\n    E: x\\u0007\n      at y',
    )
    expect(formatLogLine(parseLogLine('plain\u001b[0m'))).to.equal('plain\\u001b[0m')
  })
})
