import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { MEMORY_CHECK_INTERVAL_MS } from '../../src/operations/heap-limit.ts'
import { writeConfig } from '../crash/api-server-process.ts'
import { type RunningCommand, startCommand } from '../support/command.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'

describe('forecourt serve that drains, and its console', function () {
  // Several processes for one test.
  this.timeout(300_000)
  let cwd: string
  let systems: SandboxSystems
  const running: RunningCommand[] = []

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-draining-'))
    systems = await startSandboxSystems(cwd)
  })
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL')
      await ended
    }
  })
  after(async () => {
    await stopSandboxSystems(systems)
    await rm(cwd, { recursive: true, force: true })
  })

  async function serve(more: object, under: readonly string[] = []): Promise<RunningCommand> {
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, more)
    running.push(startCommand(['serve', '--config', config], { cwd, env: { PORT: '0' }, under }))
    return running.at(-1)!
  }

  async function addresses({ waitForOutput }: RunningCommand): Promise<[string, string]> {
    const [, operations] = await waitForOutput(/Operations pages at (http:\S+)/)
    const [, api] = await waitForOutput(/ready at (http:\S+)/)
    return [api!, operations!]
  }

  const ready = async (address: string) => {
    const { status, body } = await sendHttpRequest(address, '/readyz')
    return [status, body.status]
  }

  it('is not ready after SIGTERM, loses no request while draining, and ends at once at a second signal', async () => {
    const server = await serve({ operations: { port: 0 }, drain: { delay_seconds: 300 } })
    const both = await addresses(server)
    for (const address of both) expect(await ready(address)).to.deep.equal([200, 'ready'])
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const answers: unknown[] = []
    let isSending = true
    const runClient = async () => {
      while (isSending)
        answers.push(await sendHttpRequest(both[0], '/livez', {}, agent).then(({ status }) => status, String))
    }
    const clients = Array.from({ length: 8 }, runClient)
    await until('they are answered', () => answers.length > 50)
    server.child.kill('SIGTERM')
    await server.waitForOutput(/Finishing/)
    for (const address of both) {
      await until('it says so', async () => String(await ready(address)) === '503,draining')
      expect((await sendHttpRequest(address, '/livez')).status).to.equal(200)
    }
    const before = answers.length
    await until('they are answered still', () => answers.length > before + 30)
    const { status, headers } = await sendHttpRequest(both[0], '/livez')
    expect([status, headers.connection], 'whoever keeps a connection open lets go of it').to.deep.equal([200, 'close'])
    // As whoever shares requests out does when a process is not ready.
    isSending = false
    await Promise.all(clients)
    expect(answers.filter((answer) => answer !== 200)).to.deep.equal([])
    await until('it has ended', () => {
      server.child.kill('SIGTERM')
      return server.child.exitCode !== null
    })
    const { code, err } = await server.ended
    expect([code, err]).to.deep.equal([130, 'Stopped without waiting.\n'])
  })

  it('runs for drain.delay_seconds after SIGTERM, and exits with 0 despite slow clients', async () => {
    const server = await serve({ operations: { port: 0 }, drain: { delay_seconds: 1, finish_seconds: 1 } })
    const slow = (await addresses(server)).map((address) => {
      const { hostname, port } = new URL(address)
      const socket = connect(Number(port), hostname)
      socket.write('POST /sign-in HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nname=')
      socket.on('error', () => {})
      return socket
    })
    await Promise.all(slow.map((socket) => once(socket, 'connect')))
    const signalledAt = performance.now()
    server.child.kill('SIGTERM')
    const { code, err } = await server.ended
    expect([code, err]).to.deep.equal([0, ''])
    expect(performance.now() - signalledAt).to.be.above(990)
    for (const socket of slow) socket.destroy()
  })

  it('drains at SIGHUP too, after its output was closed', async () => {
    const server = await serve({ operations: { port: 0 }, drain: { delay_seconds: 1 } })
    await addresses(server)
    server.child.stdout!.destroy()
    server.child.stderr!.destroy()
    const signalledAt = performance.now()
    server.child.kill('SIGHUP')
    const { code, signal } = await server.ended
    expect([code, signal]).to.deep.equal([0, null])
    expect(performance.now() - signalledAt).to.be.above(990)
  })

  it('recovers when connections have used every file descriptor', async () => {
    const server = await serve({ operations: { port: 0 } }, ['prlimit', '--nofile=96:96'])
    const [api] = await addresses(server)
    const { hostname, port } = new URL(api)
    const connections = Array.from({ length: 120 }, () => connect(Number(port), hostname).on('error', () => {}))
    // Until what the process looks at every so often has been looked at with none left.
    await pause(3 * MEMORY_CHECK_INTERVAL_MS)
    for (const connection of connections) connection.destroy()
    await until('it answers', async () => (await sendHttpRequest(api, '/livez').catch(() => null))?.status === 200)
    expect(server.child.exitCode).to.equal(null)
  })

  it('names the setting to change when the console port is in use', async () => {
    const blocker: Server = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as { port: number }
    const { code, out, err } = await (await serve({ operations: { port } })).ended
    blocker.close()
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.equal(
      `forecourt: Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set operations.port, or PORT which it follows, to another port.\n`,
    )
  })

  it('starts no console with operations.enabled: false', async () => {
    const server = await serve({ operations: { enabled: false } })
    const [, api] = await server.waitForOutput(/ready at (http:\S+)/)
    expect(await ready(api!)).to.deep.equal([200, 'ready'])
    server.child.kill('SIGTERM')
    expect((await server.ended).out).to.not.include('Operations')
  })
})
