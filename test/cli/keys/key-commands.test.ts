import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { generateApiKey, isWellFormedApiKey } from '../../../src/storage/keys/api-key-format.ts'
import { listApiKeys } from '../../../src/storage/keys/api-keys.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { AUDIT_LOG_TABLE, withoutAuditLog } from '../../support/without-audit-log.ts'

describe('forecourt keys', () => {
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-keys-'))
  })
  after(() => {
    host.stop()
    return rm(cwd, { recursive: true, force: true })
  })

  const keys = (...args: string[]) => host.run(['keys', ...args], { cwd, env: { PORT: '0' } })
  const issue = (...more: string[]) =>
    keys('issue', '--merchant', 'demo', '--kind', 'publishable', '--mode', 'sandbox', ...more)
  const json = async (ran: ReturnType<typeof keys>) => {
    const { code, out, err } = await ran
    expect([code, err]).to.deep.equal([0, ''])
    return JSON.parse(out)
  }

  it('issue prints one object with the key and all of its record', async () => {
    const options = ['--rate', '90', '--origins', 'https://a.example, https://b.example:8443', '--label', 'shop']
    const { key, key_id, hint, created_at, expires_at, ...rest } = await json(
      issue(...options, '--scopes', 'storefront:catalog', '--expires', '90d', '--json'),
    )
    expect(isWellFormedApiKey(key)).to.equal(true)
    expect(key).to.match(/^svc_test_pub_/)
    expect(key_id).to.match(/^key_/)
    expect(key.startsWith(hint.split('…')[0])).to.equal(true)
    expect(Date.parse(expires_at) - Date.parse(created_at)).to.be.closeTo(90 * 86_400_000, 60_000)
    expect(rest).to.deep.equal({
      tenant_id: 'demo',
      kind: 'publishable',
      mode: 'sandbox',
      scopes: ['storefront:catalog'],
      label: 'shop',
      allowed_origins: ['https://a.example', 'https://b.example:8443'],
      rate_limit_per_minute: 90,
      rate_limit_per_client: 9,
      revoked_at: null,
      revoked: false,
      last_used_at: null,
      store: `sqlite:${join(cwd, 'data/forecourt.db')}`,
      warnings: [],
    })
  })

  it('issue applies the defaults of each kind', async () => {
    const live = await json(keys('issue', '--merchant', 'demo', '--kind', 'secret', '--mode', 'live', '--json'))
    expect(live.key).to.match(/^svc_live_sec_/)
    expect(live).to.include({ rate_limit_per_minute: 1_200, expires_at: null, label: null })
    expect(live.scopes).to.include('storefront:webhooks').and.have.length(8)
    const open = await json(issue('--json'))
    expect(open.rate_limit_per_minute).to.equal(600)
    expect(open.scopes).to.deep.equal(['storefront:catalog', 'storefront:auth'])
  })

  it('issue limits each client of a publishable key, and list shows it', async () => {
    expect((await json(issue('--rate', '300', '--rate-per-client', '120', '--json'))).rate_limit_per_client).to.equal(
      120,
    )
    const { key_id } = await json(issue('--rate', '250', '--json'))
    const { out } = await keys('list')
    expect(out).to.include('300/min, 120/min per client').and.include('250/min, 25/min per client')
    expect((await json(keys('rotate', key_id, '--json'))).rate_limit_per_client).to.equal(25)
    const secret = await json(keys('issue', '--merchant', 'demo', '--kind', 'secret', '--mode', 'sandbox', '--json'))
    expect(secret.rate_limit_per_client).to.equal(null)
    expect((await keys('list')).out).to.match(/secret\n {2}1200\/min ·/)
  })

  it('issue warns about a publishable key that no browser, or any website, may use', async () => {
    const warningsFor = async (...origins: string[]) => {
      return (await json(issue(...origins, '--json'))).warnings
    }
    expect(await warningsFor('--origins', 'https://shop.example')).to.deep.equal([])
    expect((await warningsFor())[0]).to.match(/^No browser may use this key/)
    expect((await warningsFor('--origins', '*'))[0]).to.match(/^Any website may use this key.*--origins/)
  })

  it('issue warns about a live key of a merchant without live systems', async () => {
    const config = join(cwd, 'zenith.yaml')
    await writeFile(config, 'merchants: { zenith: { name: Z, currency: JMD, time_zone: UTC } }')
    const of = (mode: string) => keys('issue', '-c', config, '--merchant', 'zenith', '--kind', 'secret', '--mode', mode)
    expect((await of('live')).out).to.include('zenith has no live systems')
    expect((await of('sandbox')).out).to.not.include('has no')
  })

  it('list shows origins of publishable keys only: secret keys are not used by browsers', async () => {
    const [publishable, secret] = [
      await json(issue('--json')),
      await json(keys('issue', '--merchant', 'demo', '--kind', 'secret', '--mode', 'sandbox', '--json')),
    ]
    const { out } = await keys('list')
    const linesOf = (id: string) => out.split('\n\n').find((text) => text.startsWith(id))
    expect(linesOf(publishable.key_id)).to.include('origins none')
    expect(linesOf(secret.key_id)).to.include('storefront:catalog').and.not.include('origins')
  })

  it('rotate refuses a duration without a unit, which would end the old key at once', async () => {
    const { key_id } = await json(issue('--json'))
    const { code, err } = await keys('rotate', key_id, '--overlap', '5')
    expect([code, err]).to.deep.equal([2, '--overlap takes a duration such as 24h or 90d, not "5"\n'])
    expect((await json(keys('rotate', key_id, '--overlap', '0', '--json'))).previous.revoked_at).to.be.a('string')
  })

  it('rotate and revoke change a key, and list never shows its secret', async () => {
    const { key, key_id } = await json(issue('--label', 'turns', '--json'))
    const rotated = await json(keys('rotate', key_id, '--overlap', '1h', '--json'))
    expect(rotated.key).to.not.equal(key)
    expect(rotated).to.include({ label: 'turns', tenant_id: 'demo', mode: 'sandbox', kind: 'publishable' })
    expect(rotated.previous.key_id).to.equal(key_id)
    expect(Date.parse(rotated.previous.revoked_at) - Date.now()).to.be.within(3_000_000, 3_600_000)
    const revoked = await json(keys('revoke', rotated.key_id, '--json'))
    expect(Date.parse(revoked.revoked_at)).to.be.at.most(Date.now())
    const { out } = await keys('list', '--json')
    const listed = JSON.parse(out).filter(({ label }: { label: string }) => label === 'turns')
    expect(listed.map((row: { key_id: string }) => row.key_id)).to.deep.equal([key_id, rotated.key_id])
    for (const secret of [key, rotated.key]) expect(out).to.not.include(secret)
    expect(out).to.not.include('digest')
  })

  it('print text without --json', async () => {
    const issued = await issue('--label', 'for people')
    expect(issued.out)
      .to.match(/^svc_test_pub_\w+\n/)
      .and.match(/not shown again/)
    const id = /key_\w+/.exec(issued.out)![0]
    expect((await keys('list')).out)
      .to.include('"for people"')
      .and.include(id)
    const { out } = await keys('revoke', id)
    expect(out).to.equal(
      `${id} is revoked. Running servers refuse it within a second. It was not used, unless within the last ten seconds.\n`,
    )
    expect((await keys('list')).out).to.match(/revoked \d{4}/)
  })

  it('list refuses an unknown merchant', async () => {
    const { code, out, err } = await keys('list', '--merchant', 'nobody', '--json')
    expect([code, out]).to.deep.equal([2, ''])
    expect(err).to.include('There is no merchant "nobody"')
  })

  it('issue explains an invalid option, exits 2 and issues no key', async () => {
    const { code, out, err } = await issue('--json', '--rate', '0')
    expect([code, out]).to.deep.equal([2, ''])
    expect(err)
      .to.match(/^--rate takes a whole number/)
      .and.not.match(/\n\s+at /)
  })

  for (const command of ['revoke', 'rotate']) {
    it(`${command} refuses an unknown key`, async () => {
      const { code, err } = await keys(command, 'key_unknown')
      expect(code).to.equal(2)
      expect(err).to.match(/There is no key key_unknown/)
    })
  }

  it('record changes in the audit log, without the keys themselves', async () => {
    const { key, key_id } = await json(issue('--json'))
    const next = await json(keys('rotate', key_id, '--json'))
    const revoked = await json(keys('revoke', next.key_id, '--json'))
    expect((await keys('revoke', 'key_nobodys')).code).to.equal(2)
    await using db = await openDatabase(`sqlite:${join(cwd, 'data', 'forecourt.db')}`)
    const rows = await listAuditLog(db, { limit: 3 })
    const of = { merchant: 'demo', account: userInfo().username }
    const ended = { key: next.key_id, ...of }
    expect(rows.map(({ action, target }) => [action, JSON.parse(target)])).to.deep.equal([
      ['key.revoke', { ...ended, until: revoked.revoked_at }],
      ['key.rotate', { ...of, key: key_id, until: next.previous.revoked_at, next: next.key_id }],
      ['key.issue', { ...of, key: key_id, kind: 'publishable', mode: 'sandbox' }],
    ])
    for (const { operator, role, outcome } of rows)
      expect([operator, role, outcome]).to.deep.equal(['command line', 'command', 'done'])
    expect(JSON.stringify(rows)).to.not.include(key).and.not.include(next.key)
  })

  it('change nothing when the audit log cannot be written', async () => {
    const { key_id } = await json(issue('--json'))
    await using db = await openDatabase(`sqlite:${join(cwd, 'data', 'forecourt.db')}`)
    const before = await listApiKeys(db)
    await withoutAuditLog(db, async () => {
      for (const ran of [issue('--json'), keys('rotate', key_id, '--json'), keys('revoke', key_id, '--json')]) {
        const { code, out, err } = await ran
        expect([code, out]).to.deep.equal([1, ''])
        expect(err).to.include(AUDIT_LOG_TABLE)
      }
    })
    expect(await listApiKeys(db)).to.deep.equal(before)
  })

  it('end when they are revoked or expire, whichever is first', async () => {
    const { key_id } = await json(issue('--expires', '1h', '--json'))
    const { out } = await keys('rotate', key_id, '--overlap', '24h')
    const [record] = (await json(keys('list', '--json'))).filter((one: { key_id: string }) => one.key_id === key_id)
    expect(out).to.include(`The old key ${key_id} works until ${record.expires_at}.`)
    expect(out).to.include('The new key expires when the old one would have.')
    expect((await keys('list')).out)
      .to.include(`ends ${record.expires_at}`)
      .and.not.include(`revoked ${record.revoked_at}`)
  })

  it('revoke accepts the key itself, and does not repeat it', async () => {
    const { key, key_id } = await json(issue('--json'))
    const { out } = await keys('revoke', key)
    expect(out).to.include(`${key_id} is revoked`).and.not.include(key)
    const foreign = generateApiKey('secret', 'live')
    for (const unknown of [foreign, foreign.slice(0, -1)]) {
      const { code, err } = await keys('revoke', unknown)
      expect([code, err.includes(unknown)]).to.deep.equal([2, false])
    }
  })

  it('create no store when they only read', async () => {
    const elsewhere = join(cwd, 'elsewhere')
    await mkdir(elsewhere)
    const there = (...args: string[]) => host.run(['keys', ...args], { cwd: elsewhere })
    expect(await json(there('list', '--json'))).to.deep.equal([])
    expect((await there('list')).out).to.match(/^No keys yet: there is no store at sqlite:\S+\. Issue one/)
    for (const command of ['revoke', 'rotate']) {
      const { code, err } = await there(command, 'key_1')
      expect([code, /There is no store at sqlite:\S+ yet/.test(err)]).to.deep.equal([2, true])
    }
    expect(await readdir(elsewhere)).to.deep.equal([])
  })
})
