import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
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
    expect(numbersOf(await logs('--level', 'WARN'))).to.deep.equal([2, 3])
    expect((await logs('--lines', '0')).out).to.equal('')
    const { out } = await logs('--pretty', '--request', 'ABC-2')
    expect(out).to.match(/^2023-11-14T17:13:23\.000-05:00 ERROR failed request_id=AbC-2\n$/)
  })

  it('prints times in another time zone', async () => {
    const { out } = await logs('--pretty', '--request', 'ABC-2', '--time-zone', 'Asia/Tokyo')
    expect(out).to.match(/^2023-11-15T07:13:23\.000\+09:00 ERROR failed/)
  })

  it('fails when no line of the file has the id, and never repeats a key', async () => {
    const nobody = await logs('--request', 'nobody')
    expect([nobody.code, nobody.out]).to.deep.equal([2, ''])
    expect(nobody.err).to.match(
      /^No line of .*acme\.log has the request id nobody\. Older lines may be in a rotated file\./,
    )
    const without = await logs('--request', 'abc-1', '--level', 'fatal')
    expect([without.code, without.err]).to.match(
      /^2,No line .* the request id abc-1 and the level fatal or a higher one\./,
    )
    const key = await logs('--request', `svc_test_sec_${'a'.repeat(49)}`)
    expect(key.err).to.include('svc_test_sec_[redacted]').and.not.include('aaa')
  })

  it('says that log.file is a directory', async () => {
    await mkdir(join(cwd, 'folder'))
    const file = join(cwd, 'folder.yaml')
    await writeFile(file, (await readFile(join(cwd, 'forecourt.yaml'), 'utf8')).replace('acme.log', 'folder'))
    const { code, err } = await logs('--config', file)
    expect([code, err]).to.match(/^2,log\.file is .*folder, which is a directory, so no log can be read from it\n$/)
  })
})
