import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { writeConfig } from '../crash/servers.ts'
import { type Running, start } from '../support/command.ts'
import { type Embedded, startEmbedded, stop } from '../support/embedded.ts'
import { exchange } from '../support/exchange.ts'
import { until } from '../support/until.ts'

describe('forecourt serve, for those on call', () => {
  let cwd: string
  let systems: Embedded
  const running: Running[] = []

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-on-call-'))
    systems = await startEmbedded(cwd)
  })
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
  })
  after(async () => {
    await stop(systems)
    await rm(cwd, { recursive: true, force: true })
  })

  async function serve(more: object): Promise<Running> {
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, more)
    running.push(start(['serve', '--config', config], { cwd, env: { PORT: '0' } }))
    return running.at(-1)!
  }

  async function addresses({ said }: Running): Promise<[string, string]> {
    const [, operations] = await said(/Operations at (http:\S+)/)
    const [, api] = await said(/ready at (http:\S+)/)
    return [api!, operations!]
  }

  const ready = async (address: string) => {
    const { status, body } = await exchange(address, '/readyz')
    return [status, body.status]
  }

  it('is not ready from SIGTERM on, goes on for as long as it is told to, and ends well', async () => {
    const server = await serve({ operations: { port: 0 }, drain: { delay_seconds: 2, finish_seconds: 5 } })
    const both = await addresses(server)
    for (const address of both) expect(await ready(address)).to.deep.equal([200, 'ready'])
    server.child.kill('SIGTERM')
    await server.said(/Finishing/)
    for (const address of both) {
      expect(await ready(address)).to.deep.equal([503, 'draining'])
      expect((await exchange(address, '/livez')).status).to.equal(200)
    }
    expect((await exchange(both[0], '/health')).status).to.equal(200)
    const { code, err } = await server.ended
    expect([code, err]).to.deep.equal([0, ''])
  }).timeout(30_000)

  it('ends at once at a second signal', async () => {
    const server = await serve({ operations: { port: 0 }, drain: { delay_seconds: 300 } })
    await addresses(server)
    server.child.kill('SIGTERM')
    await server.said(/Finishing/)
    await until('it has ended', () => {
      server.child.kill('SIGTERM')
      return server.child.exitCode !== null
    })
    const { code, err } = await server.ended
    expect([code, err]).to.deep.equal([130, 'Stopped without waiting.\n'])
  }).timeout(30_000)

  it('says which setting to change when the port of the operations pages is taken', async () => {
    const taken: Server = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, out, err } = await (await serve({ operations: { port } })).ended
    taken.close()
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.equal(
      `forecourt: Port ${port} on 127.0.0.1 is in use. Stop what uses it, or set operations.port, or PORT which it follows, to another one.\n`,
    )
  }).timeout(30_000)

  it('has no operations pages when it is told so', async () => {
    const server = await serve({ operations: { enabled: false } })
    const [, api] = await server.said(/ready at (http:\S+)/)
    expect(await ready(api!)).to.deep.equal([200, 'ready'])
    server.child.kill('SIGTERM')
    expect((await server.ended).out).to.not.include('Operations')
  }).timeout(30_000)
})
