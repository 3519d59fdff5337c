import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../../support/command.ts'
import { freePort, freeSandboxPort } from '../../support/free-port.ts'

describe('forecourt demo on ports that are in use', function () {
  this.timeout(120_000)
  let cwd: string
  let holders: Server[] = []
  let port: number
  let firstPort: number

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-taken-'))
    port = await freePort([0, 1, 100, 101])
    firstPort = await freeSandboxPort()
  })
  afterEach(async () => {
    for (const holder of holders) holder.close()
    await rm(cwd, { recursive: true, force: true })
  })

  /** Holds the ports, and returns the last line of a demo that needs them. */
  async function startWith(taken: readonly number[]): Promise<string> {
    holders = taken.map((one) => createServer((socket) => socket.destroy()).listen(one, '127.0.0.1'))
    await Promise.all(holders.map((holder) => once(holder, 'listening')))
    const args = ['demo', '--sandbox-port', String(firstPort)]
    const { code, err } = await runCommand(args, { cwd, env: { PORT: String(port) } })
    expect(code).to.equal(1)
    return err.trim().split('\n').at(-1)!
  }

  it('names all of them, and the complete command on others', async () => {
    const taken = [port, port + 1, firstPort + 1, firstPort + 102]
    const message = await startWith(taken)
    const command = message.split(`The ports ${taken.join(', ')} are in use. `)[1]
    const [, next, first] = /^Stop .* other ports: PORT=(\d+) node .* demo --sandbox-port (\d+)$/.exec(command!)!
    expect([Number(next) - port, Number(first) - firstPort].map((distance) => distance % 100)).to.deep.equal([0, 0])
    expect(Number(next)).to.be.above(port)
    expect(Number(first)).to.be.above(firstPort)
  })

  it('names those of other programs beside a system that the demo uses', async () => {
    const system = createHttpServer((_, response) => response.end('{}')).listen(firstPort, '127.0.0.1')
    await once(system, 'listening')
    const message = await startWith([firstPort + 1])
    holders.push(system)
    expect(message).to.include(`Port ${firstPort + 1} is in use.`)
  })

  it('keeps those that are free', async () => {
    const message = await startWith([port + 1])
    expect(message).to.match(/Port \d+ is in use\. .* other ports: PORT=/)
    expect(message)
      .to.include(`Port ${port + 1} is`)
      .and.match(new RegExp(`--sandbox-port ${firstPort}$`))
  })
})
