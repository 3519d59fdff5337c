import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { commandEnv, startCommand } from '../../support/command.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../../support/sandbox-systems.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'

const main = resolve(import.meta.dirname, '../../../src/main.ts')

describe('forecourt init, asking', () => {
  let home: string
  let cwd: string
  let systems: SandboxSystems

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'forecourt-init-systems-'))
    systems = await startSandboxSystems(home)
  })
  after(async () => {
    await stopSandboxSystems(systems)
    await rm(home, { recursive: true, force: true })
  })
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-init-'))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))

  /** Starts `init` with a pipe instead of a terminal. */
  function ask(args: readonly string[]) {
    const child = spawn(process.execPath, [main, 'init', ...args], { cwd, env: commandEnv, stdio: 'pipe' })
    const words = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      words.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      words.err += chunk
    })
    const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...words }))
    return { child, ended, asks: (question: RegExp) => waitFor(child, () => question.test(words.err)) }
  }

  const addressOf = (system: keyof SandboxSystems) => `${systems[system].address}/acme`

  it('takes one line for each answer, and the merchant then serves products', async () => {
    const { child, ended } = ask(['--live-keys'])
    const addresses = [addressOf('inventory'), addressOf('pricing'), addressOf('accounting')]
    const answers = [
      'rest',
      'acme',
      'Acme Parts',
      'JAMD',
      'JMD',
      'America/Jamaica',
      ...addresses,
      'sandbox',
      '',
      '',
      '',
      '',
    ]
    child.stdin.end(`${answers.join('\n')}\n`)
    const { code, out, err } = await ended
    // The doctor may find that a busy machine answers late, which changes nothing else.
    expect(code, `${out}${err}`).to.be.oneOf([0, 1])
    expect(err).to.include('  is not a currency. Give an ISO 4217 code such as JMD\n')
    expect(out)
      .to.include('forecourt.yaml is valid.\n')
      .and.match(/errors?, \d+ warnings?/)
    expect(out.match(/^svc_(test|live)_(pub|sec)_/gm)).to.deep.equal(
      ['test_pub', 'test_sec', 'live_pub', 'live_sec'].map((kind) => `svc_${kind}_`),
    )
    expect(out.slice(out.indexOf('Next:')).match(/forecourt\.js \S+/g)).to.deep.equal([
      'forecourt.js serve',
      'forecourt.js keys',
      'forecourt.js operators',
    ])
    const server = startCommand(['serve', '--no-embedded-sandbox'], { cwd, env: { PORT: '0' } })
    const [, address] = await server.waitForOutput(/ready at (http:\S+)/)
    const headers = { authorization: `Bearer ${/^svc_live_sec_\S+/m.exec(out)![0]}` }
    await until('a product is served', async () => {
      const { status, body } = await sendHttpRequest(address!, '/v1/products/BP-1001', { headers })
      return status === 200 && body.sku === 'BP-1001' && body.price?.currency === 'JMD'
    })
    server.child.kill('SIGTERM')
    expect((await server.ended).code).to.equal(0)
  })

  it('leaves nothing behind when it is interrupted, or when the answers end', async () => {
    const interrupted = ask([])
    await interrupted.asks(/Merchant id|Back office/)
    interrupted.child.kill('SIGINT')
    expect((await interrupted.ended).signal).to.equal('SIGINT')
    const cut = ask([])
    cut.child.stdin.end('sandbox\nacme\n')
    const { code, err } = await cut.ended
    expect([code, err.split('\n').at(-2)]).to.deep.equal([
      2,
      'Standard input ended before this was answered: Name of the merchant. Nothing was written',
    ])
    expect(await readdir(cwd)).to.deep.equal([])
  })
})

/** Resolves when what the process writes to standard error fulfils the condition. */
async function waitFor({ stderr }: { stderr: NodeJS.ReadableStream }, isMet: () => boolean): Promise<void> {
  while (!isMet()) await once(stderr, 'data')
}
