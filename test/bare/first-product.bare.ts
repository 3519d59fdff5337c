import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { trytonAccess } from '../live/support/tryton-environment.ts'
import { BareDebian, makeBareDebian } from './bare-debian.ts'
import { fillIn, findCommands } from './documented-commands.ts'
import { OwnNetwork } from './own-network.ts'
import { RunningScript } from './running-script.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')
const BASE = 'localhost/forecourt-bare-base'
const CURL = findCommands('merchant-guide.md', 'curl -sS')

/** Runs a script with the network of its caller, and returns what it printed. */
type Shell = (script: string) => RunningScript

/** From nothing to a product of a real Tryton, in a debootstrapped Debian, by the commands of the docs as they stand there. */
describe('a first product on a bare Debian', () => {
  const { address, database, user, password } = trytonAccess().storefront
  const stack = new AsyncDisposableStack()
  let folder: string
  let base: string
  let tarball: string
  let network: OwnNetwork

  const values = {
    'FORECOURT_ERP_PASSWORD=…': `FORECOURT_ERP_PASSWORD='${password}'`,
    'https://erp.acme.example': address,
    '--database acme': `--database ${database}`,
    '--user forecourt': `--user ${user}`,
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-bare-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    network = stack.use(await OwnNetwork.create(address, folder))
    const startedAt = performance.now()
    base = await makeBareDebian(folder)
    print('the bare Debian', startedAt)
    tarball = await pack()
  })
  after(() => stack.disposeAsync())

  const print = (what: string, startedAt: number) =>
    process.stdout.write(`      ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`)

  /** Packs a copy of this checkout, because other tests pack it too. */
  async function pack(): Promise<string> {
    const copy = join(folder, 'checkout')
    const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: project,
      maxBuffer: 2 ** 26,
    })
    for (const path of stdout.split('\0').filter(Boolean)) await cp(join(project, path), join(copy, path))
    await symlink(join(project, 'node_modules'), join(copy, 'node_modules'))
    const script = findCommands('merchant-guide.md', 'npm run pack')
    const output = await new RunningScript(['bash', '-euc', script], { env: process.env, cwd: copy }).succeeded
    const [, path] = /^(dist\/\S+\.tgz):/m.exec(output)!
    return join(copy, path!)
  }

  /** The doctor gives up on a system that needs seconds for an answer. On a machine that is so busy, the commands run once more. */
  async function configure(shell: Shell, script: string, reset: string, isDone: (output: string) => boolean) {
    for (;;) {
      const running = shell(script)
      while (running.isRunning && !isDone(running.output)) await pause(20)
      if (isDone(running.output)) return running
      const code = await running.ended
      if (code === 1 && /no response within/.test(running.output)) await shell(reset).succeeded
      else throw new Error(`the commands ended with ${code}:\n${running.output}`)
    }
  }

  /** Reads a product with the key that `init` printed. A busy server has none until it has read the catalog. */
  async function expectProduct(shell: Shell, { output }: RunningScript) {
    const [key] = /^svc_live_pub_\w+/m.exec(output)!
    const script = fillIn(CURL, { 'svc_live_pub_…': key })
    for (;;) {
      const answer = JSON.parse(await shell(script).succeeded)
      if (answer.data?.length === 1 && answer.data[0].price !== null) {
        expect(answer.data[0]).to.include.keys('sku', 'name')
        expect(answer.data[0].price.currency ?? JSON.stringify(answer.data[0].price)).to.include('JMD')
        return
      }
      expect(answer.status ?? 200, JSON.stringify(answer)).to.be.oneOf([200, 503, 504])
      await pause(100)
    }
  }

  it('from the npm package', async () => {
    const startedAt = performance.now()
    await using debian = await BareDebian.create(base, join(folder, 'npm'), network)
    await debian.prepareChroot()
    await cp(tarball, join(debian.root, 'srv', 'forecourt-server-0.2.0.tgz'))
    const install = findCommands('merchant-guide.md', 'npm init -y')
    await debian.run(`cd /srv\n${install}`, { hasInternet: true })
    const first = fillIn(findCommands('merchant-guide.md', 'forecourt config check\nnpx'), values)
    const shell: Shell = (script) => debian.start(`cd /srv\n${script}`)
    await using server = await configure(shell, first, 'rm -rf forecourt.yaml forecourt.env data', (output) =>
      /Forecourt is ready at/.test(output),
    )
    await expectProduct(shell, server)
    print('from the npm package', startedAt)
  })

  it('as a service of systemd', async () => {
    const startedAt = performance.now()
    await using debian = await BareDebian.create(base, join(folder, 'unit'), network)
    await mkdir(join(debian.root, 'opt/forecourt'))
    await cp(tarball, join(debian.root, 'opt/forecourt/forecourt-server-0.2.0.tgz'))
    await debian.boot()
    print('systemd has booted after', startedAt)
    await debian.run(findCommands('operations.md', 'npx --no -- forecourt service install'), { hasInternet: true })
    const first = fillIn(
      findCommands('operations.md', 'runuser -u forecourt -- node_modules/.bin/forecourt init'),
      values,
    )
    const shell: Shell = (script) => debian.start(script)
    const reset = 'rm -rf /etc/forecourt/* /var/lib/forecourt/*'
    const server = await configure(shell, `${first}\necho done`, reset, (output) => /^done$/m.test(output))
    const isReady =
      'until curl -fsS http://127.0.0.1:8080/readyz; do systemctl show -P ActiveState forecourt; sleep 0.2; done'
    await debian.run(isReady)
    await expectProduct(shell, server)
    print('as a service of systemd', startedAt)
    const state = await debian.run('systemctl show forecourt -p ActiveState,User,NRestarts,Result')
    expect(state.split('\n')).to.include.members(['ActiveState=active', 'User=forecourt', 'NRestarts=0'])
    await debian.run('systemctl stop forecourt')
    expect(await debian.run('systemctl show forecourt -p Result')).to.equal('Result=success\n')
  })

  it('from the image', async () => {
    const startedAt = performance.now()
    await run('bash', ['test/install/base-image.sh', BASE, base], { cwd: project, maxBuffer: 2 ** 28 })
    const bin = join(folder, 'bin')
    await mkdir(bin)
    const docker = `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'docker-stand-in.ts')}' "$@"\n`
    await writeFile(join(bin, 'docker'), docker)
    await chmod(join(bin, 'docker'), 0o755)
    const env = {
      ...process.env,
      PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
      BARE_BASE_IMAGE: BASE,
    }
    const build = new RunningScript(['bash', '-euc', findCommands('operations.md', 'docker build')], {
      env,
      cwd: project,
    })
    await build.succeeded
    print('the image is built after', startedAt)
    const cwd = join(folder, 'image')
    await mkdir(cwd)
    const shell: Shell = (script) => new RunningScript(network.enter(['bash', '-euc', script]), { env, cwd })
    const first = fillIn(findCommands('operations.md', 'docker run --read-only'), values)
    await using server = await configure(shell, first, 'rm -rf etc data', (output) =>
      /Forecourt is ready at/.test(output),
    )
    await expectProduct(shell, server)
    print('from the image', startedAt)
    expect(await readFile(join(cwd, 'etc/forecourt.yaml'), 'utf8')).to.not.include(password)
  })
})
