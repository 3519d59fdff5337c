import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { writeConfig } from '../crash/api-server-process.ts'
import { type RunningCommand, runCommand, startCommand } from '../support/command.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { until } from '../support/until.ts'
import { certificates } from '../webhooks/tls-certificates.ts'

const { localhost, elsewhere } = certificates

/** Returns the status of an address, and the certificate of its server. */
const readCertificate = (address: string) =>
  new Promise<[number, string]>((resolve, reject) => {
    request(`${address}/livez`, { agent: false, rejectUnauthorized: false }, (response) => {
      const certificate = (response.socket as TLSSocket).getPeerX509Certificate()!.toString()
      response.resume().on('end', () => resolve([response.statusCode!, certificate]))
    })
      .on('error', reject)
      .end()
  })

describe('forecourt serve with TLS', function () {
  this.timeout(300_000)
  let cwd: string
  let systems: SandboxSystems
  let server: RunningCommand | undefined

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-tls-'))
    systems = await startSandboxSystems(cwd)
  })
  afterEach(async () => {
    server?.child.kill('SIGKILL')
    await server?.ended
  })
  after(async () => {
    await stopSandboxSystems(systems)
    await rm(cwd, { recursive: true, force: true })
  })

  // Relative to the configuration file.
  const listen = { tls: { cert: 'api.pem', key: 'api.key' } }
  const install = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(join(cwd, 'api.pem'), cert)
    await writeFile(join(cwd, 'api.key'), key)
  }
  const serve = async () => {
    await install(localhost)
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, { listen })
    server = startCommand(['serve', '--config', config], { cwd, env: { PORT: '0' } })
    const [, address] = await server.waitForOutput(/ready at (https:\S+)/)
    return { server, address: address! }
  }

  it('is told of unusable files by config check', async () => {
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, { listen })
    const check = async () => {
      const { code, out, err } = await runCommand(['config', 'check', config], { cwd })
      return [code, `${out}${err}`] as const
    }
    expect((await check())[1]).to.include(`listen.tls.cert: ${join(cwd, 'api.pem')} cannot be read (ENOENT)`)
    await install({ cert: localhost.cert, key: elsewhere.key })
    expect((await check())[1])
      .to.include('listen.tls.key: ')
      .and.include('does not belong to')
    await install(certificates.weakKey)
    expect((await check())[1])
      .to.include('too weak for TLS')
      .and.include('Use an RSA key of 2048 bits')
    await install({ cert: localhost.cert, key: 'no key' })
    const wrong = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, { listen, colour: 'red' })
    for (const command of [
      ['config', 'check', wrong],
      ['serve', '--config', wrong],
    ]) {
      const { code, out, err } = await runCommand(command, { cwd })
      expect([code, `${out}${err}`], command[0]).to.deep.equal([2, `${out}${err}`])
      expect(`${out}${err}`)
        .to.match(/2 mistakes:.*line \d+, listen\.tls\.key: .*is not a private key/s)
        .and.include('colour')
    }
    await install(localhost)
    await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, { listen })
    const [code, text] = await check()
    expect([code, text]).to.deep.equal([1, text])
    expect(text).to.include('with TLS')
  })

  it('replaces its certificate at SIGHUP, and ends at SIGTERM', async () => {
    const { server, address } = await serve()
    expect(await readCertificate(address)).to.deep.equal([200, localhost.cert])
    await install(elsewhere)
    server.child.kill('SIGHUP')
    await until('the new certificate is served', async () => (await readCertificate(address))[1] === elsewhere.cert)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).to.equal(0)
  })

  it('is named by a command that writes to another store', async () => {
    const { address } = await serve()
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'elsewhere.db')}`, systems, { listen })
    const issue = ['keys', 'issue', '--config', config, '--merchant', 'acme', '--kind', 'secret', '--mode', 'sandbox']
    const { out } = await runCommand(issue, { cwd, env: { PORT: new URL(address).port } })
    expect(out).to.include(`The server at ${address} uses another store and refuses this key. `)
  })
})
