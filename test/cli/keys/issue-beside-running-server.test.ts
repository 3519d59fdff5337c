import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { createCommandHost } from '../../support/command-host.ts'

describe('forecourt keys issue beside a running server', () => {
  const host = createCommandHost()
  let cwd: string
  let server: Api

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-issue-'))
    server = await startApi()
  })
  after(async () => {
    host.stop()
    await server[Symbol.asyncDispose]()
    await rm(cwd, { recursive: true, force: true })
  })

  const portOf = (address: string) => new URL(address).port
  const run = (args: readonly string[], env: Record<string, string>) => host.run(args, { cwd, env })
  const issue = ['keys', 'issue', '--merchant', 'demo', '--kind', 'secret', '--mode', 'sandbox']

  it('names the store, that it is new, and the server that uses another one', async () => {
    const env = { PORT: portOf(server.address), FORECOURT_DATA: join(cwd, 'elsewhere') }
    const { code, out } = await run(issue, env)
    expect(code).to.equal(0)
    expect(out).to.include(`Store: sqlite:${join(cwd, 'elsewhere/forecourt.db')}, created by this command\n`)
    expect(out).to.match(/^The server at http:\/\/127\.0\.0\.1:\d+ uses another store and refuses this key\. /m)
    expect(out).to.include('FORECOURT_DATA')
    const again = await run([...issue, '--json'], env)
    const { store, warnings } = JSON.parse(again.out)
    expect(store).to.equal(`sqlite:${join(cwd, 'elsewhere/forecourt.db')}`)
    expect(warnings).to.have.lengthOf(1)
    expect(warnings[0]).to.include('uses another store')
  })

  it('says the same of an operator that it adds', async () => {
    const env = { PORT: portOf(server.address), FORECOURT_DATA: join(cwd, 'of-operators') }
    const { out } = await run(['operators', 'add', 'anna', '--role', 'support', '--generate'], env)
    expect(out).to.include(`Store: sqlite:${join(cwd, 'of-operators/forecourt.db')}, created by this command\n`)
    expect(out).to.match(/ uses another store and does not know this operator\. /)
  })

  it('is silent about a server of the same store, and one that is none', async () => {
    const config = join(cwd, 'same.yaml')
    const merchants = 'merchants: { acme: { name: A, currency: JMD, time_zone: UTC } }'
    await writeFile(config, `store: "${server.store}"\n${merchants}`)
    const acme = ['keys', 'issue', '--config', config, '--merchant', 'acme', '--kind', 'secret', '--mode', 'sandbox']
    const { code, out } = await run(acme, { PORT: portOf(server.address) })
    expect(code).to.equal(0)
    expect(out).to.include(`Store: ${server.store}\n`).and.not.include('another store')
    const { key, ...record } = JSON.parse((await run([...acme, '--json'], { PORT: portOf(server.address) })).out)
    expect(record.warnings).to.deep.equal([])
    expect((await server.request('/v1/products?limit=1', { key })).status).to.equal(200)
    await mkdir(join(cwd, 'none'), { recursive: true })
    const none = await run(issue, { PORT: portOf(server.systems.inventory.address), FORECOURT_DATA: join(cwd, 'none') })
    expect(none.out).to.not.include('another store')
  })
})
