import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type RunningCommand, startCommand } from '../support/command.ts'
import { createCommandHost } from '../support/command-host.ts'
import { freeSandboxPort } from '../support/free-port.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'

const acme = {
  name: 'Acme',
  currency: 'JMD',
  time_zone: 'America/Jamaica',
  live: { pricing: { adapter: 'rest', address: 'http://127.0.0.1:9', token: 'none' } },
}
const zenith = { name: 'Zenith', currency: 'JMD', time_zone: 'America/Jamaica' }

describe('forecourt serve with a live merchant', function () {
  // Several processes for one test.
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  let config: string
  let running: RunningCommand | undefined

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-beside-live-'))
    config = join(cwd, 'forecourt.yaml')
  })
  afterEach(async () => {
    running?.child.kill('SIGTERM')
    await running?.ended
    await rm(cwd, { recursive: true, force: true, maxRetries: 10 })
  })
  after(() => host.stop())

  async function serve(settings: object, ...options: string[]) {
    const operations = { enabled: false }
    await writeFile(config, JSON.stringify({ data: 'data', operations, merchants: { acme, zenith }, ...settings }))
    const port = await freeSandboxPort()
    running = startCommand(['serve', '--sandbox-port', String(port), ...options], { cwd, env: { PORT: '0' } })
    const [, address] = await running.waitForOutput(/ready at (http:\S+) for acme, zenith\n.*\n/)
    return { address: address!, port }
  }

  async function askWithSandboxKey(address: string, merchant: string) {
    const args = ['keys', 'issue', '--merchant', merchant, '--kind', 'secret', '--mode', 'sandbox', '--json']
    const { out } = await host.run(args, { cwd, env: { PORT: '0' } })
    const { key, warnings } = JSON.parse(out)
    const { status, body } = await sendHttpRequest(address, '/v1/products/BP-1001', {
      headers: { authorization: `Bearer ${key}` },
    })
    return { status, body: body, warnings }
  }

  const isSandboxRunning = (port: number) =>
    sendHttpRequest(`http://127.0.0.1:${port}`, '/').then(
      () => true,
      () => false,
    )

  it('starts no sandbox, and refuses sandbox keys with the reason, as the doctor and config check say', async () => {
    const { address, port } = await serve({})
    expect(await isSandboxRunning(port)).to.equal(false)
    for (const merchant of ['acme', 'zenith']) {
      const { status, body, warnings } = await askWithSandboxKey(address, merchant)
      expect([status, body.code]).to.deep.equal([403, 'sandbox_disabled'])
      expect(body.detail).to.include('sandbox')
      expect(warnings).to.have.lengthOf(1)
      expect(warnings[0]).to.include('embedded_sandbox: true')
    }
    const doctor = await host.run(
      ['doctor', '--mode', 'sandbox', '--merchant', 'acme', '--sandbox-port', String(port)],
      { cwd },
    )
    expect(doctor.code).to.equal(2)
    expect(doctor.err).to.include('acme has no sandbox').and.include('embedded_sandbox')
    const check = await host.run(['config', 'check'], { cwd })
    expect(check.out).to.match(/sandbox {2}off \(embedded_sandbox: true/)
  })

  it('starts the sandbox when the file asks for it', async () => {
    const { address, port } = await serve({ embedded_sandbox: true })
    expect(await isSandboxRunning(port)).to.equal(true)
    // The systems have less than a second for each call, as in any shop: a busy machine may take longer.
    await until('a product is served', async () => {
      const { status, warnings } = await askWithSandboxKey(address, 'acme')
      expect(warnings).to.deep.equal([])
      return status === 200
    })
  })

  it('follows the command line rather than the file', async () => {
    expect(await isSandboxRunning((await serve({}, '--embedded-sandbox')).port)).to.equal(true)
    running?.child.kill('SIGTERM')
    await running?.ended
    const { port } = await serve({ embedded_sandbox: true }, '--no-embedded-sandbox')
    expect(await isSandboxRunning(port)).to.equal(false)
  })
})
