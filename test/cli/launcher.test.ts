import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { writeConfig } from '../crash/servers.ts'
import { type Embedded, startEmbedded, stop } from '../support/embedded.ts'
import { exchange } from '../support/exchange.ts'
import { until } from '../support/until.ts'

const launcher = resolve(import.meta.dirname, '../../src/launch.js')

describe('forecourt, as npm and supervisors start it', () => {
  let cwd: string
  let systems: Embedded

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-launched-'))
    systems = await startEmbedded(cwd)
  })
  after(async () => {
    await stop(systems)
    await rm(cwd, { recursive: true, force: true })
  })

  function launch(args: readonly string[]) {
    const env = { PATH: process.env.PATH, FORECOURT_DATA: cwd, PORT: '0' }
    // Without a terminal, and with nothing to read: as a supervisor, or nohup, does.
    const child = spawn(process.execPath, [launcher, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const words = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      words.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      words.err += chunk
    })
    // The pipes close when the server has gone as well: it has them too.
    const gone = once(child, 'close')
    return { child, words, gone }
  }

  async function serving() {
    const config = await writeConfig(cwd, `sqlite:${join(cwd, 'forecourt.db')}`, systems)
    const launched = launch(['serve', '--config', config])
    await until('it serves', () => /ready at http/.test(launched.words.out))
    const address = /ready at (http:\S+)/.exec(launched.words.out)![1]!
    expect((await exchange(address, '/livez')).status).to.equal(200)
    return { ...launched, address }
  }

  it('ends the server when what was started is killed', async () => {
    const { child, words, gone, address } = await serving()
    child.kill('SIGKILL')
    await gone
    expect(words.err).to.include('it ends as well')
    const answer = await exchange(address, '/livez').catch((error: NodeJS.ErrnoException) => error.code)
    expect(answer).to.equal('ECONNREFUSED')
  }).timeout(30_000)

  it('passes SIGTERM on, and ends as the server does', async () => {
    const { child, words, gone } = await serving()
    child.kill('SIGTERM')
    expect(await gone).to.deep.equal([0, null])
    expect([words.err, words.out.includes('Finishing')]).to.deep.equal(['', true])
  }).timeout(30_000)

  it('ends a command when it is done', async () => {
    const { gone } = launch(['--version'])
    expect(await gone).to.deep.equal([0, null])
  }).timeout(30_000)
})
