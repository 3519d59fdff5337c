import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createReleaseStore } from '../../storage/migrations/release-store.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'
import { stores } from '../../support/stores.ts'

const backOffices = [
  { kind: 'sandbox', secret: {}, args: [] },
  { kind: 'rest', secret: { FORECOURT_ERP_TOKEN: 'it`s"quoted"' }, args: ['--address', 'https://erp.example/api'] },
  {
    kind: 'tryton',
    secret: { FORECOURT_ERP_PASSWORD: "it's" },
    args: ['--address', 'https://erp.example', '--database', 'acme', '--user', 'forecourt'],
  },
  { kind: 'odoo', secret: { FORECOURT_ERP_API_KEY: 'odoo-key-1' }, args: ['--address', 'https://odoo.example'] },
] as const

describe('forecourt init', () => {
  const host = createCommandHost()
  let cwd: string

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-init-'))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))
  after(() => host.stop())

  const init = (args: readonly string[], env: Record<string, string> = {}) =>
    host.run(['init', '--yes', '--no-doctor', ...args], { cwd, env })

  for (const { kind, secret, args } of backOffices) {
    it(`writes files for ${kind} that config check accepts without a warning`, async () => {
      const written = await init(['--no-keys', '--back-office', kind, ...args], secret)
      expect([written.code, written.err]).to.deep.equal([0, ''])
      expect((await stat(join(cwd, 'forecourt.env'))).mode & 0o777).to.equal(0o600)
      const file = await readFile(join(cwd, 'forecourt.yaml'), 'utf8')
      for (const value of Object.values(secret)) expect(file).to.not.include(value)
      const checked = await host.run(['config', 'check'], { cwd })
      expect([checked.code, checked.err]).to.deep.equal([0, ''])
      expect(checked.out).to.match(/^forecourt\.yaml is valid\.\n/)
      expect((await readdir(cwd)).toSorted()).to.deep.equal(['forecourt.env', 'forecourt.yaml'])
    })
  }

  it('writes mail, store, proxies and the public URL, with passwords only in the environment file', async () => {
    const variables = {
      FORECOURT_ERP_PASSWORD: 'erp-pw',
      FORECOURT_MAIL_URL: 'smtps://me:mail-pw@mail.example',
      FORECOURT_STORE: 'postgres://me:store-pw@db.example/forecourt',
    }
    const [, , { args }] = backOffices
    const proxy = ['--proxy', 'loopback, 10.0.0.0/8', '--public-url', 'https://api.acme.example']
    const more = ['--mail-from', 'Acme <shop@acme.example>', '--data', '/var/lib/forecourt', ...proxy]
    const { code, err } = await init(['--no-keys', '--back-office', 'tryton', ...args, ...more], variables)
    expect([code, err]).to.deep.equal([0, ''])
    const file = await readFile(join(cwd, 'forecourt.yaml'), 'utf8')
    expect(file).to.not.match(/erp-pw|mail-pw|store-pw/)
    for (const line of [
      'data: /var/lib/forecourt',
      'trusted_proxies: ["loopback", "10.0.0.0/8"]',
      'public_url: "https://api.acme.example"',
      `store: "\${FORECOURT_STORE}"`,
      `mail: { url: "\${FORECOURT_MAIL_URL}", from: "Acme <shop@acme.example>" }`,
    ])
      expect(file).to.include(line)
    expect((await host.run(['config', 'check'], { cwd })).code).to.equal(0)
  })

  for (const store of stores().filter(({ name }) => name === 'PostgreSQL')) {
    describe('with a PostgreSQL store', () => {
      afterEach(() => store.close())

      it('creates the tables of a new one, and issues keys', async () => {
        const FORECOURT_STORE = await store.createBare()
        const { code, out, err } = await init([], { FORECOURT_STORE })
        expect([code, err]).to.deep.equal([0, ''])
        expect(out).to.match(/\nCreated the tables of the store\.\n.*svc_test_pub_\w+.*svc_test_sec_\w+.*\nNext:\n/s)
        const checked = await host.run(['migrate', '--check'], { cwd })
        expect(checked.code).to.equal(0)
      })

      it('leaves one with tables as it is, keeps the files, and says what is left to do', async () => {
        const FORECOURT_STORE = await store.createBare()
        await createReleaseStore(FORECOURT_STORE)
        const { code, out, err } = await init([], { FORECOURT_STORE })
        expect(code).to.equal(1)
        expect(err).to.match(/cannot be used: it lacks 007-clients, .*\. Run: .* migrate\n$/)
        expect(out).to.match(/\nThe files are kept, and no keys were issued\. .* migrate .*\n\nNext:\n.* keys issue /s)
        expect((await readdir(cwd)).toSorted()).to.deep.equal(['forecourt.env', 'forecourt.yaml'])
      })
    })
  }

  it('writes the recommended limits for Odoo, and the port', async () => {
    const { secret, args } = backOffices[3]
    expect((await init(['--no-keys', '--back-office', 'odoo', '--port', '9090', ...args], secret)).code).to.equal(0)
    const lines = (await readFile(join(cwd, 'forecourt.yaml'), 'utf8')).split('\n')
    for (const line of [
      'listen: { host: 127.0.0.1, port: 9090 }',
      '# The time limit of a request in ms: at least 100 more than timeout_ms below',
      'deadline_ms: 4000',
      '        limits:',
      '          timeout_ms: 2500   # the time limit of a call to Odoo in ms',
      '          concurrency: 2     # concurrent calls: the number of workers of Odoo',
    ])
      expect(lines).to.include(line)
    const { code, err } = await init(['--force', '--port', '99999'])
    expect([code, err]).to.deep.equal([2, '--port takes a whole number from 1 to 65535, not "99999"\n'])
  })

  it('takes the currency of the company in Odoo, and asks for it after the login', async () => {
    await using odoo = await startScriptedUpstream((response, { path }) => {
      const isCompany = path === '/json/2/res.company/web_search_read'
      const body = { length: 1, records: [{ id: 1, currency_id: { id: 90, name: 'JMD' } }] }
      response.writeHead(isCompany ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(isCompany ? body : {}))
    })
    const args = ['init', '--yes', '--no-check', '--no-keys', '--back-office', 'odoo', '--address', odoo.address]
    const env = { FORECOURT_ERP_API_KEY: 'odoo-key-1' }
    const written = async () => /currency: .*/.exec(await readFile(join(cwd, 'forecourt.yaml'), 'utf8'))![0]
    await host.run(args, { cwd, env })
    expect(await written()).to.equal('currency: "JMD"')
    expect(odoo.requests[0]).to.deep.include({ method: 'POST', path: '/json/2/res.company/web_search_read' })
    expect(odoo.requests[0]!.headers).to.include({ authorization: 'bearer odoo-key-1' })
    await host.run([...args, '--force', '--currency', 'EUR'], { cwd, env })
    expect(await written()).to.equal('currency: "EUR"')
    await odoo.close()
    const { err } = await host.run([...args, '--force'], { cwd, env })
    expect(err).to.match(/^ {2}The currency of the company could not be read: ECONNREFUSED/)
    expect(await written()).to.equal('currency: "USD"')
  })

  it('says which keys read the back office, and which the embedded one', async () => {
    const { secret, args } = backOffices[3]
    const sandbox =
      '\nThe sandbox keys (svc_test_…) read the embedded back office, which has sample products. They do not read your Odoo:\n\nsvc_test_pub_'
    const live = '\nThe live keys (svc_live_…) read your Odoo:\n\nsvc_live_pub_'
    const issue = ['--back-office', 'odoo', ...args]
    const without = await init(issue, secret)
    expect(without.out).to.include(sandbox).and.not.include('The live keys')
    expect(without.out).to.match(/--mode live --origins https:\/\/shop\.example {3}# reads your Odoo\n/)
    const all = await init(['--force', '--live-keys', ...issue], secret)
    expect(all.out).to.include(sandbox).and.include(live)
  })

  it('refuses a wrong answer in the words of config check, and writes nothing', async () => {
    for (const [args, sentence] of [
      [
        ['--currency', 'JAMD'],
        /^--currency: is not a currency\. Give an ISO 4217 code such as JMD\. Nothing was written/,
      ],
      [['--time-zone', 'Mars'], /^--time-zone: "Mars" is not a time zone\. /],
      [['--merchant', 'A B'], /^--merchant: cannot be a merchant id\. /],
      [['--proxy', 'x'], /^--proxy: /],
      [['--store', 'mysql://x'], /^--store: is not a store URL/],
      [['--back-office', 'sap'], /^--back-office takes sandbox, rest, tryton, or odoo, not "sap"/],
      [['--back-office', 'rest', '--address', 'ftp://x'], /^--address: is not a usable URL\. /],
      [['--back-office', 'odoo'], /has no default\. Give --address\. Nothing was written/],
      [
        ['--back-office', 'odoo', '--address', 'https://x.example'],
        /Set the environment variable FORECOURT_ERP_API_KEY/,
      ],
    ] as const) {
      const { code, out, err } = await init(args)
      expect([code, out]).to.deep.equal([2, ''])
      expect(err).to.match(sentence)
    }
    expect(await readdir(cwd)).to.deep.equal([])
  })

  it('never replaces a file without --force', async () => {
    await writeFile(join(cwd, 'forecourt.env'), 'OLD=1\n')
    await chmod(join(cwd, 'forecourt.env'), 0o644)
    const refused = await init(['--no-keys'])
    expect([refused.code, refused.err]).to.deep.equal([2, 'forecourt.env exists already. To replace: --force\n'])
    expect(await readdir(cwd)).to.deep.equal(['forecourt.env'])
    expect((await init(['--no-keys', '--force'])).code).to.equal(0)
    expect(await readFile(join(cwd, 'forecourt.env'), 'utf8')).to.not.include('OLD')
    expect((await stat(join(cwd, 'forecourt.env'))).mode & 0o777).to.equal(0o600)
  })

  it('reads another environment file where --env-file names one', async () => {
    const merchant = `acme: { name: "\${SHOP_NAME}", currency: JMD, time_zone: UTC }`
    await writeFile(join(cwd, 'forecourt.yaml'), `merchants: { ${merchant} }\n`)
    await writeFile(join(cwd, 'other.env'), 'SHOP_NAME=Acme Parts\n')
    const missing = await host.run(['config', 'check'], { cwd })
    expect(missing.err).to.include('environment variable SHOP_NAME is not set')
    const { code, out } = await host.run(['--env-file', 'other.env', 'config', 'check'], { cwd })
    expect([code, out.includes('acme (Acme Parts)')]).to.deep.equal([0, true])
    const unreadable = await host.run(['--env-file', 'nowhere.env', 'config', 'check'], { cwd })
    expect([unreadable.code, unreadable.err]).to.deep.equal([
      2,
      'The environment file nowhere.env cannot be read (ENOENT). Give another one with --env-file\n',
    ])
  })
})
