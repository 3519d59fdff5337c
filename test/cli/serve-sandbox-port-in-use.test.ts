import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type RunningCommand, startCommand } from '../support/command.ts'
import { freeSandboxPort } from '../support/free-port.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'

const merchant = { name: 'Acme', currency: 'JMD', time_zone: 'America/Jamaica' }
const live = { pricing: { adapter: 'rest', address: 'http://127.0.0.1:9', token: 'none' } }

describe('forecourt serve with a sandbox port in use', function () {
  // Several processes for one test.
  this.timeout(300_000)
  let cwd: string
  let taken: Server
  let firstPort: number
  let running: RunningCommand | undefined

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-taken-'))
    firstPort = await freeSandboxPort()
    taken = createServer((socket) => socket.destroy()).listen(firstPort + 1, '127.0.0.1')
    await once(taken, 'listening')
  })
  afterEach(async () => {
    running?.child.kill('SIGKILL')
    await running?.ended
  })
  after(async () => {
    taken.close()
    await rm(cwd, { recursive: true, force: true })
  })

  async function serve(acme: object, settings: object = {}): Promise<RunningCommand> {
    const config = join(cwd, 'forecourt.yaml')
    const operations = { port: 0 }
    await writeFile(config, JSON.stringify({ data: join(cwd, 'data'), operations, ...settings, merchants: { acme } }))
    const args = ['serve', '--config', config, '--sandbox-port', String(firstPort)]
    running = startCommand(args, { cwd, env: { PORT: '0' } })
    return running
  }

  it('serves live keys, and warns that the sandbox is missing', async () => {
    const { child, waitForOutput, ended } = await serve({ ...merchant, live }, { embedded_sandbox: true })
    const [, address] = await waitForOutput(/ready at (http:\S+) for acme/)
    expect((await sendHttpRequest(address!, '/livez')).status).to.equal(200)
    child.kill('SIGTERM')
    const { code, err } = await ended
    expect(code).to.equal(0)
    expect(err).to.match(new RegExp(`port ${firstPort + 1} .* is already in use.*\\. Sandbox keys of acme`))
  })

  it('does not start when it would serve only the sandbox', async () => {
    const { code, err } = await (await serve(merchant)).ended
    expect(code).to.equal(1)
    expect(err).to.include(`port ${firstPort + 1} of the sandbox's pricing system is already in use`)
  })
})
