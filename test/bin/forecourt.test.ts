import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { writeConfig } from '../crash/api-server-process.ts'
import { freeSandboxPort } from '../support/free-port.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'

const project = resolve(import.meta.dirname, '../..')
const launcher = join(project, 'src/bin/forecourt.js')

describe('the forecourt launcher', function () {
  // Several processes for each, one after the other.
  this.timeout(300_000)
  let cwd: string
  let systems: SandboxSystems

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-launched-'))
    systems = await startSandboxSystems(cwd)
  })
  after(async () => {
    await stopSandboxSystems(systems)
    await rm(cwd, { recursive: true, force: true })
  })

  const launch = (args: readonly string[]) => started(process.execPath, [launcher, ...args], cwd)

  function started(command: string, args: readonly string[], at: string) {
    const env = { PATH: process.env.PATH, FORECOURT_DATA: cwd, PORT: '0' }
    // Without a terminal, and with nothing to read: as a supervisor, or nohup, does.
    const child = spawn(command, args, { cwd: at, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const words = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      words.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      words.err += chunk
    })
    // The pipes close when the server has gone as well: it has them too.
    const gone = once(child, 'close')
    const ready = new Promise<string>((resolve, reject) => {
      child.stdout.on('data', () => {
        const [, address] = /ready at (http:\S+)/.exec(words.out) ?? []
        if (address) resolve(address)
      })
      child.once('close', () => reject(new Error(`it ended and said: ${words.out}${words.err}`)))
    })
    // Who waits for its end alone is told by that.
    ready.catch(() => {})
    return { child, words, gone, ready }
  }

  async function serving() {
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems)
    const launched = launch(['serve', '--config', config])
    const address = await launched.ready
    expect((await sendHttpRequest(address, '/livez')).status).to.equal(200)
    return { ...launched, address }
  }

  it('ends the server when the launcher is killed', async () => {
    const { child, words, gone, address } = await serving()
    child.kill('SIGKILL')
    await gone
    expect(words.err).to.include('so this process ends too')
    const answer = await sendHttpRequest(address, '/livez').catch((error: NodeJS.ErrnoException) => error.code)
    expect(answer).to.equal('ECONNREFUSED')
  })

  it('forwards SIGTERM, and exits with the code of the server', async () => {
    const { child, words, gone } = await serving()
    child.kill('SIGTERM')
    expect(await gone).to.deep.equal([0, null])
    expect([words.err, words.out.includes('Finishing')]).to.deep.equal(['', true])
  })

  it('says that the server was killed, and by which signal', async () => {
    const { child, words, gone } = await serving()
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(child.pid)])
    process.kill(Number(stdout), 'SIGKILL')
    expect(await gone).to.deep.equal([137, null])
    expect(words.err).to.match(/^forecourt: the process was killed by SIGKILL\. If nobody .* out of memory/)
  })

  it('ends when npm gets SIGTERM, as in a container', async () => {
    const port = String(await freeSandboxPort())
    const { child, words, gone, ready } = started('npm', ['start', '--', '--sandbox-port', port], project)
    await ready
    child.kill('SIGTERM')
    const [code] = await gone
    expect([code, words.out.includes('Finishing')], words.err).to.deep.equal([0, true])
  })

  it('drains when npm is killed', async () => {
    const drain = { delay_seconds: 2 }
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems, { drain })
    const run = JSON.stringify([launcher, 'serve', '--config', config])
    const env = "{ ...process.env, npm_lifecycle_event: 'start' }"
    const npm = `require('node:child_process').spawn(process.execPath, ${run}, { stdio: 'inherit', env: ${env} })`
    const { child, words, gone, ready } = started(process.execPath, ['-e', npm], cwd)
    await ready
    child.kill('SIGKILL')
    await gone
    expect([words.err, words.out.includes('Finishing')]).to.deep.equal(['', true])
  })

  it('exits when a command is done', async () => {
    const { gone } = launch(['--version'])
    expect(await gone).to.deep.equal([0, null])
  })
})
