import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { clearFaults, setFault } from '../../src/sandbox/control/control-client.ts'
import type { SystemExit } from '../../src/sandbox/fork-system.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'

const anyPorts = { inventory: 0, pricing: 0, accounting: 0 }

const PORT_REMEDY =
  'Stop the program that uses it, or choose other ports with --sandbox-port <first>: the sandbox uses three ports from there on, and three that are 100 above'

describe('the sandbox: processes', function () {
  // Several processes for one test.
  this.timeout(300_000)
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  beforeEach(async () => {
    folder = await createTempFolder()
  })

  afterEach(() => folder.remove())

  it('runs three processes, reports an unexpected exit, and stops the others', async () => {
    const { promise: ended, resolve: onExit } = Promise.withResolvers<SystemExit>()
    const backOffice = await startSandbox({
      directory: folder.directory,
      accounts: ['demo'],
      ports: anyPorts,
      token: 't',
      onExit,
    })
    expect(backOffice.systems.map(({ system }) => system)).to.deep.equal(['inventory', 'pricing', 'accounting'])
    for (const system of backOffice.systems) {
      expect((await sendRequest(system, '/health', { token: 't' })).body).to.deep.equal({ status: 'ok' })
    }
    const [, pricing] = backOffice.systems
    process.kill(pricing!.pid, 'SIGTERM')
    expect(await ended).to.deep.equal({ system: 'pricing', pid: pricing!.pid, code: 0, signal: null })
    await backOffice.stop()
    for (const { pid } of backOffice.systems) expect(() => process.kill(pid, 0)).to.throw('ESRCH')
  })

  it("starts the systems with this process's compiled modules", async () => {
    expect(getCompileCacheDir()).to.be.a('string')
    const { directory } = folder
    await using _running = await startSandbox({ directory, accounts: ['demo'], ports: anyPorts, only: ['pricing'] })
    expect(await readdir(directory)).to.not.include('.compiled')
  })

  it('accepts faults while it runs, and stops despite a hanging call', async () => {
    const backOffice = await startSandbox({
      directory: folder.directory,
      accounts: ['demo'],
      ports: anyPorts,
      only: ['accounting'],
    })
    const [accounting] = backOffice.systems
    await setFault(accounting!.controlAddress, { status: 503 })
    expect((await sendRequest(accounting!, '/health')).status).to.equal(503)
    await clearFaults(accounting!.controlAddress)
    expect((await sendRequest(accounting!, '/health')).status).to.equal(200)
    await setFault(accounting!.controlAddress, { hang: true })
    const hanging = sendRequest(accounting!, '/health').catch((error: Error) => error.message)
    await backOffice.stop()
    expect(await hanging).to.equal('fetch failed')
  })

  it('exits when its parent is killed', async () => {
    const parent = fork(new URL('parent-process.ts', import.meta.url), [folder.directory], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    const [said] = await once(parent.stdout!, 'data')
    const sockets = JSON.parse(String(said)).map(({ address }: { address: string }) =>
      connect(Number(new URL(address).port), '127.0.0.1'),
    )
    await Promise.all(sockets.map((socket: Socket) => once(socket, 'connect')))
    const ended = sockets.map((socket: Socket) => closed(socket))
    parent.kill('SIGKILL')
    await Promise.all(ended)
  })

  it('stops a frozen system', async () => {
    const backOffice = await startSandbox({
      directory: folder.directory,
      accounts: ['demo'],
      ports: anyPorts,
      only: ['pricing'],
    })
    const [pricing] = backOffice.systems
    process.kill(pricing!.pid, 'SIGSTOP')
    await backOffice.stop()
    expect(() => process.kill(pricing!.pid, 0)).to.throw('ESRCH')
  })

  it('reports a port in use, and leaves nothing running', async () => {
    const portHolder = createServer().listen(0, '127.0.0.1')
    await once(portHolder, 'listening')
    const { port } = portHolder.address() as AddressInfo
    const options = { directory: folder.directory, accounts: ['demo'], ports: { ...anyPorts, pricing: port } }
    const failure = await startSandbox(options).catch((error: Error) => error.message)
    expect(failure).to.equal(`port ${port} of the sandbox's pricing system is already in use. ${PORT_REMEDY}`)
    const [first, second] = ['inventory', 'pricing'].map((system) => `port ${port} of the sandbox's ${system} system`)
    const both = { ...options, ports: { ...anyPorts, inventory: port, pricing: port } }
    expect(await startSandbox(both).catch((error: Error) => error.message)).to.equal(
      `${first} is already in use, ${second} is already in use. ${PORT_REMEDY}`,
    )
    portHolder.close()
  })
})

/** Resolves when the socket closes; a reset is fine. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) =>
    socket
      .resume()
      .on('error', () => {})
      .once('close', () => resolve()),
  )
}
