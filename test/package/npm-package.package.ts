import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { freePort, freeSandboxPort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const project = resolve(import.meta.dirname, '../..')

/** What an installation has: the caller's Node and nothing of this checkout. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
const OLD_NODE = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.1.0'}})`

/** The tarball of `npm run pack`, installed with npm in an empty folder. */
describe('the npm package', () => {
  let folder: string
  let server: ChildProcess | undefined
  let words = ''

  const forecourt = (args: readonly string[], options = {}) =>
    run('npx', ['--no', '--', 'forecourt', ...args], { cwd: folder, env: { ...process.env, PATH }, ...options })

  /** Starts a command that serves, and returns its address. */
  async function serve(args: readonly string[]): Promise<string> {
    words = ''
    const env = { HOME: folder, PATH, PORT: '0' }
    const child = spawn('node', ['node_modules/.bin/forecourt', ...args], { cwd: folder, env })
    server = child
    child.stderr.on('data', (chunk) => {
      words += chunk
    })
    child.once('close', () => {
      server = undefined
    })
    return new Promise((resolve, reject) => {
      child.stdout.on('data', (chunk) => {
        words += chunk
        const [, address] = /ready at (http:\S+)/.exec(words) ?? []
        if (address) resolve(address)
      })
      child.once('close', () => reject(new Error(`it ended and said: ${words}`)))
    })
  }

  async function stop(): Promise<unknown[]> {
    const closed = once(server!, 'close')
    server!.kill('SIGTERM')
    return closed
  }

  async function read(address: string, path: string, key?: string) {
    const response = await fetch(address + path, key ? { headers: { authorization: `Bearer ${key}` } } : {})
    return { status: response.status, body: await response.text() }
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-installed-'))
    const packed = await run(process.execPath, [join(project, 'src/bin/package/pack.ts')], { cwd: project })
    const [, tarball] = /^(dist\/\S+\.tgz):/m.exec(packed.stdout)!
    await writeFile(join(folder, 'package.json'), '{"private": true}')
    await run('npm', ['install', '--ignore-scripts', join(project, tarball!)], { cwd: folder })
  })
  afterEach(async () => {
    if (server) await stop()
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('has what runs, and neither tools nor a Node', async () => {
    const installed = join(folder, 'node_modules/@forecourt/server')
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    const checkout = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
    expect(manifest.name).to.equal('@forecourt/server')
    const git = async (...args: string[]) => (await run('git', args, { cwd: project })).stdout.trim()
    const isRelease = (await git('tag', '--points-at', 'HEAD')).split('\n').includes(`v${checkout.version}`)
    const commit = await git('describe', '--always', '--dirty', '--abbrev=8', '--exclude=*')
    const isUnchanged = isRelease && !commit.endsWith('-dirty')
    expect(manifest.version).to.equal(isUnchanged ? checkout.version : `${checkout.version}+${commit}`)
    expect(manifest).to.not.have.any.keys('devDependencies', 'optionalDependencies', 'scripts')
    expect(manifest.engines).to.deep.equal({ node: '>=26' })
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder })
    expect(stdout)
      .to.include('node_modules/koa')
      .and.to.not.match(/node_modules\/(?:mocha|typescript|node-(?:bin-)?\w+-\w+)$/m)
  })

  it('says its version', async () => {
    const { version } = JSON.parse(await readFile(join(folder, 'node_modules/@forecourt/server/package.json'), 'utf8'))
    expect((await forecourt(['--version'])).stdout).to.equal(`${version}\n`)
  })

  it('names the Node that it needs when it is started on an older one', async () => {
    const launcher = join(folder, 'node_modules/.bin/forecourt')
    const error = await run(process.execPath, ['--import', OLD_NODE, launcher, '--version']).then(
      () => expect.fail('it started'),
      (error: { code: number; stderr: string }) => error,
    )
    expect(error.code).to.equal(1)
    expect(error.stderr).to.match(
      /^forecourt: this is Node 20\.1\.0 \(.*\), and Forecourt needs Node 26 or later\. Install it from /,
    )
  })

  it('runs the demo with its sandbox, pages and reference', async () => {
    const address = await serve(['demo', '--sandbox-port', String(await freeSandboxPort())])
    const printed = [/svc_test_pub_\w+/, /Operations pages: \S+/, /webhooks listen/]
    await until('all is printed', () => printed.every((part) => part.test(words)))
    const [key] = /svc_test_pub_\w+/.exec(words)!
    // The systems have less than a second for each call, as in any shop: a busy machine may take longer.
    await until('a product is served', async () => {
      const { status, body } = await read(address, '/v1/products/BP-1001', key)
      return status === 200 && JSON.parse(body).sku === 'BP-1001'
    })
    const findScript = async () => /\/shop\/assets\/[\w/]+\/main\.js/.exec((await read(address, '/shop')).body)?.[0]
    let script = ''
    // Until the catalog is loaded, the shop says so.
    await until('the shop is open', async () => {
      script = (await findScript()) ?? ''
      return script !== ''
    })
    expect((await read(address, script)).body).to.include("from '../../client/browser.js'")
    expect((await read(address, '/shop/assets/client/browser.js')).status).to.equal(200)
    for (const path of ['', '/scalar.js', '/reference.json', '/start.js', '/icon.svg'])
      expect((await read(address, `/docs${path}`)).status, path).to.equal(200)
    const [, pages] = /Operations pages: (\S+)/.exec(words)!
    expect((await read(pages!, '/sign-in')).status).to.equal(200)
    const hint = /^ {2}(.*) webhooks listen/m.exec(words)
    expect(hint?.[1]).to.equal('npx --no -- forecourt')
    expect(await stop()).to.deep.equal([0, null])
  })

  it('serves a configuration with a key that it has issued, says its version, and examines its systems', async () => {
    const sandboxPort = await freeSandboxPort()
    const port = await freePort([0, 1])
    await writeFile(
      join(folder, 'forecourt.yaml'),
      `listen: { port: ${port} }\noperations: { metrics: true }\nmerchants:\n  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica }\n`,
    )
    const issued = await forecourt([
      'keys',
      'issue',
      '--merchant',
      'acme',
      '--kind',
      'publishable',
      '--mode',
      'sandbox',
      '--origins',
      'https://shop.example',
    ])
    const [key] = /svc_test_pub_\w+/.exec(issued.stdout)!
    const address = await serve(['serve', '--sandbox-port', String(sandboxPort)])
    const { version } = JSON.parse(await readFile(join(folder, 'node_modules/@forecourt/server/package.json'), 'utf8'))
    expect(JSON.parse((await read(address, '/health')).body).version).to.equal(version)
    await until('the log has the version', () => words.includes(`"version":"${version}","address":"${address}"`))
    const [, pages] = /Operations pages at (\S+)/.exec(words)!
    expect((await read(pages!, '/metrics')).body).to.include(`forecourt_build_info{version="${version}"} 1`)
    await until('products are served', async () => (await read(address, '/v1/products?limit=1', key)).status === 200)
    // A busy machine answers late, which the doctor reports with exit code 1.
    const examined = await forecourt([
      'doctor',
      '--mode',
      'sandbox',
      '--json',
      '--sandbox-port',
      String(sandboxPort),
    ]).catch((error: { code: number; stdout: string }) => (error.code === 1 ? error : Promise.reject(error)))
    const [diagnosis] = JSON.parse(examined.stdout).merchants
    expect(diagnosis).to.include({ merchant: 'acme', mode: 'sandbox' })
    expect(diagnosis.operations).to.not.deep.equal([])
  })
})
