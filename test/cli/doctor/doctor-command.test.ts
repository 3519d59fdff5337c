import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { withStore } from '../../../src/cli/with-store.ts'
import { recordProxySighting } from '../../../src/storage/untrusted-proxy-sightings.ts'
import { runCommand, startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../../support/sandbox-systems.ts'
import { hang, respondJson, startScriptedUpstream, type UpstreamScript } from '../../support/scripted-upstream.ts'
import { until } from '../../support/until.ts'

interface Report {
  well: boolean
  errors: number
  failed_operations: number
  warnings: number
  installation: { severity: string; check: string; finding: string; remedy: string }[]
  merchants: {
    operations: { system: string; operation: string; result: string; finding: string | null; remedy: string | null }[]
    findings: { severity: string; check: string; systems: string[]; finding: string; remedy: string }[]
  }[]
}

describe('forecourt doctor', function () {
  // Several processes for one test.
  this.timeout(300_000)
  const host = createCommandHost()
  let cwd: string
  let embedded: SandboxSystems

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-doctor-'))
    embedded = await startSandboxSystems(join(cwd, 'goods'))
  })
  after(async () => {
    host.stop()
    await stopSandboxSystems(embedded)
    await rm(cwd, { recursive: true, force: true })
  })

  const rest = (address: string, settings: object = {}) => ({
    adapter: 'rest',
    address,
    token: 'sandbox',
    limits: { timeout_ms: 30_000 },
    ...settings,
  })
  const defaultSystems = () => ({
    inventory: rest(`${embedded.inventory.address}/acme`),
    pricing: rest(`${embedded.pricing.address}/acme`),
    accounting: rest(`${embedded.accounting.address}/acme`),
  })

  async function writeConfigFile(systems: object, settings: object = {}, ofMerchant: object = {}): Promise<void> {
    const acme = { name: 'Acme Parts', currency: 'JMD', time_zone: 'America/Jamaica', live: systems, ...ofMerchant }
    const merchants = { acme }
    const mail = { url: 'smtps://mail.example', from: 'Acme <shop@acme.example>' }
    await writeFile(join(cwd, 'forecourt.yaml'), JSON.stringify({ deadline_ms: 60_000, mail, ...settings, merchants }))
  }

  const diagnose = (systems: object, ...options: string[]) => diagnoseWith(host.run, systems, options)
  /** In a process of its own. */
  const diagnoseInOwnProcess = (systems: object) => diagnoseWith(runCommand, systems, [])

  async function diagnoseWith(run: typeof runCommand, systems: object, options: string[]) {
    await writeConfigFile(systems)
    const { code, out, err } = await run(['doctor', '--json', '--sample', '200', ...options], { cwd })
    if (out === '') throw new Error(err)
    const report = JSON.parse(out) as Report
    const { operations, findings } = report.merchants[0]!
    return { code, out, report, operations, findingOf: (check: string) => findings.find((one) => one.check === check) }
  }

  /** A system of the sandbox, whose answers somebody changes on their way. */
  function proxyWith(address: () => string, change: (path: string, answer: Rows) => Rows): UpstreamScript {
    return async (response, { method, path, headers, body }) => {
      const asked = await fetch(`${address()}${path}`, {
        method,
        headers: { authorization: headers.authorization!, 'content-type': 'application/json' },
        ...(body && { body }),
      })
      const answer = (await asked.json()) as Rows
      respondJson(asked.ok ? change(path, answer) : answer, asked.status)(response, null as never, null as never)
    }
  }
  interface Rows {
    data: { sku: string; product: Record<string, unknown> }[]
  }

  it('names boosts of what the inventory does not have', async () => {
    const named = ['brand: Tamaro', 'brand: Tamarro', 'category: braking', 'category: c-7', 'tag: safety', 'tag: safe']
    const boosts = named.map((text) => ({ ...Object.fromEntries([text.split(': ')]), boost: 1 }))
    await writeConfigFile(defaultSystems(), {}, { mirror: { boosts } })
    const { out } = await host.run(['doctor', '--json', '--sample', 'all'], { cwd })
    const { findings } = (JSON.parse(out) as Report).merchants[0]!
    const found = findings.filter(({ check }) => check === 'boost')
    const of = (index: number) => `merchants.acme.mirror.boosts.${index} boosts the`
    expect(found.map(({ severity, finding }) => `${severity}: ${finding.replace(/of \d+/, 'of all')}`)).to.deep.equal([
      `warning: ${of(3)} category "c-7": the inventory has no such category`,
      `warning: ${of(5)} tag "safe": the inventory has no such tag`,
      `note: ${of(1)} brand "Tamarro": none of all sampled products is of this brand`,
    ])
  })

  describe('with healthy systems', () => {
    let healthy: Awaited<ReturnType<typeof diagnose>>
    before(async () => {
      healthy = await diagnose(defaultSystems(), '--sample', 'all')
    })

    it('calls every read operation, and exits 0', async () => {
      const { code, report, operations } = healthy
      expect([code, report.well, report.errors]).to.deep.equal([0, true, 0])
      const results = Map.groupBy(operations, ({ result }) => result)
      expect([...results.keys()].toSorted()).to.deep.equal(['not tried', 'ok'])
      expect(results.get('ok')!.map(({ system, operation }) => `${system} ${operation}`)).to.deep.equal([
        ...['search', 'search (updated_since)', 'items', 'categories', 'tags', 'vehicleFacet (year)'].map(inventory),
        ...['vehicleFacet (make)', 'vehicleFacet (model)', 'vehicleItems', 'fitments'].map(inventory),
        ...['picture', 'stockChanges'].map(inventory),
        ...['prices', 'prices (of a customer)', 'quote', 'priceChanges'].map((name) => `pricing ${name}`),
        ...['taxes', 'orderChanges', 'invoiceChanges', 'customer', 'findCustomer'].map(accounting),
        ...[
          'taxes (of a customer)',
          'credit',
          'deliveryOptions',
          'orders',
          'order',
          'payment',
          'invoices',
          'invoice',
          'invoiceDocument',
        ].map(accounting),
      ])
    })
    it('warns of a proxy that is not trusted, until trusted_proxies is set', async () => {
      expect(healthy.report.installation).to.deep.equal([])
      const sighting = { header: 'X-Forwarded-For', address: '10.0.0.7', seen_at: new Date().toISOString() }
      await withStore(`sqlite:${join(cwd, 'data', 'forecourt.db')}`, (db) => recordProxySighting(db, sighting))
      const run = async (settings: object, ...options: string[]) => {
        await writeConfigFile(defaultSystems(), settings)
        return host.run(['doctor', '--sample', '0', '--system', 'pricing', ...options], { cwd })
      }
      const report = JSON.parse((await run({}, '--json')).out) as Report
      expect(report.installation.map(({ check, severity }) => [check, severity])).to.deep.equal([
        ['trusted_proxies', 'warning'],
      ])
      expect(report.installation[0]!.finding).to.include('X-Forwarded-For from 10.0.0.7')
      expect(report.warnings).to.be.at.least(1)
      const { code, out } = await run({}, '--strict')
      expect(code).to.equal(1)
      expect(out)
        .to.match(/^this installation\n/)
        .and.include('Set trusted_proxies')
      for (const trusted_proxies of [['loopback'], []])
        expect((JSON.parse((await run({ trusted_proxies }, '--json')).out) as Report).installation).to.deep.equal([])
      await rm(join(cwd, 'data'), { recursive: true })
    })

    const inventory = (name: string) => `inventory ${name}`
    const accounting = (name: string) => `accounting ${name}`

    it('prints the same JSON members for each operation and finding', () => {
      const { report } = healthy
      expect(report).to.have.all.keys(
        'well',
        'errors',
        'warnings',
        'notes',
        'failed_operations',
        'finished',
        'installation',
        'merchants',
      )
      const [merchant] = report.merchants
      expect(merchant).to.have.all.keys('merchant', 'mode', 'finished', 'operations', 'findings')
      const members = ['system', 'operation', 'result', 'latency_ms', 'limit_ms', 'finding', 'remedy']
      for (const row of merchant!.operations) expect(row).to.have.all.keys(members)
      for (const one of merchant!.findings)
        expect(one).to.have.all.keys('severity', 'check', 'systems', 'finding', 'remedy')
    })

    it('warns about products without a price, which --strict makes a failure', async () => {
      const { code, findingOf } = healthy
      expect(code).to.equal(0)
      expect(findingOf('product_without_price')).to.include({ severity: 'warning' })
      expect(findingOf('product_without_price')!.finding).to.match(/^\d+ of \d+ products have no price.*AF-1029/)
      expect((await diagnose(defaultSystems(), '--strict')).code).to.equal(1)
    })

    it('uses the customer of --customer, also by email address', async () => {
      const { operations } = await diagnose(
        defaultSystems(),
        '--customer',
        'credit@demo.example',
        '--system',
        'accounting',
      )
      const row = operations.find(({ operation }) => operation === 'credit')
      expect(['ok', 'not tried']).to.include(row!.result)
    })
  })

  it('prints what is wrong and how to fix it', async () => {
    await writeConfigFile({ inventory: { ...rest(`${embedded.inventory.address}/acme`), token: 'a-token-of-old' } })
    const { code, out, err } = await runCommand(['doctor'], { cwd })
    expect([code, err]).to.deep.equal([1, ''])
    expect(out).to.equal(`acme, live

SYSTEM     OPERATION               RESULT     COLD  WARM  FINDING AND REMEDY
inventory  search                  not tried              blocked until this is fixed: token
inventory  search (updated_since)  not tried              as above
inventory  items                   not tried              as above
inventory  categories              not tried              as above
inventory  tags                    not tried              as above
inventory  vehicleFacet (year)     not tried              as above
inventory  vehicleFacet (make)     not tried              as above
inventory  vehicleFacet (model)    not tried              as above
inventory  vehicleItems            not tried              as above
inventory  fitments                not tried              as above
inventory  picture                 not tried              as above
inventory  stockChanges            not tried              as above

SEVERITY  SYSTEM     FINDING AND REMEDY
error     inventory  the token is rejected (GET /health responded 401)
                     → Set merchants.acme.live.inventory.token to the token that the system expects

Errors found: 1 error, 0 warnings, 0 notes.
`)
  })

  describe('with a misconfigured system', () => {
    it('finds a path that is not the protocol', async () => {
      const { code, findingOf } = await diagnose({
        ...defaultSystems(),
        pricing: rest(`${embedded.pricing.address}/nobody`),
      })
      expect(code).to.equal(1)
      expect(findingOf('path')).to.deep.include({ severity: 'error', systems: ['pricing'] })
      expect(findingOf('path')!.remedy).to.match(/live\.pricing\.address/)
    })

    it('finds a port where nothing listens', async () => {
      const { code, findingOf } = await diagnose({ ...defaultSystems(), pricing: rest('http://127.0.0.1:9') })
      expect(code).to.equal(1)
      expect(findingOf('connection')!.remedy).to.match(
        /Nothing listens at http:\/\/127\.0\.0\.1:9: start .*live\.pricing/,
      )
    })

    it('finds a server that is not a back office', async () => {
      const page = await startScriptedUpstream((response) => void response.writeHead(200).end('<h1>It works!</h1>'))
      const { code, findingOf } = await diagnose({ ...defaultSystems(), accounting: rest(page.address) })
      await page.close()
      expect(code).to.equal(1)
      expect(findingOf('protocol')).to.deep.include({ severity: 'error', systems: ['accounting'] })
    })

    it('finds a system that hangs, and still calls the others', async () => {
      await embedded.pricing.setFault({ hang: true })
      const { code, operations, report } = await diagnose(defaultSystems(), '--timeout', '1500', '--sample', '0')
      await embedded.pricing.setFault({})
      expect(code).to.equal(1)
      const results = Map.groupBy(operations, ({ system }) => system)
      expect(new Set(results.get('pricing')!.map(({ result }) => result))).to.deep.equal(new Set(['failed']))
      expect(results.get('pricing')![0]!.finding).to.equal('no response within 1500 ms')
      expect(report.errors, 'errors as they are shown').to.be.below(report.failed_operations)
      // On a busy machine, some calls of a system that is well take too long as well.
      const called = results
        .get('accounting')!
        .filter(({ result, finding }) => result === 'ok' || finding === 'no response within 1500 ms')
      expect(called).to.have.length.above(8)
    })

    it('finds one operation that fails, and still calls the others', async () => {
      await embedded.accounting.setFault({ status: 503, only: ['readCredit'] })
      const { code, operations } = await diagnose(defaultSystems(), '--system', 'accounting')
      await embedded.accounting.setFault({})
      const failed = operations.filter(({ result }) => result === 'failed')
      expect(code).to.equal(1)
      expect(failed.map(({ operation }) => operation)).to.deep.equal(['credit'])
      expect(failed[0]!.finding).to.match(/responded 503/)
    })

    it('names the missing member of a product', async () => {
      const incomplete = await startScriptedUpstream(
        proxyWith(
          () => embedded.inventory.address,
          (path, answer) => {
            if (path.includes('/products?')) delete answer.data[0]?.product.uom
            return answer
          },
        ),
      )
      const { code, findingOf } = await diagnose({ ...defaultSystems(), inventory: rest(`${incomplete.address}/acme`) })
      await incomplete.close()
      expect(code).to.equal(1)
      expect(findingOf('protocol')!.finding).to.equal(
        'GET /products: 1 of 100 rows are left out, unexpected response at /product: must have required properties uom (50%-CL&AF)',
      )
    })

    it('finds products that only the search returns, and duplicate slugs', async () => {
      const inconsistent = await startScriptedUpstream(
        proxyWith(
          () => embedded.inventory.address,
          (path, answer) => {
            if (path.endsWith('/lookup')) answer.data.shift()
            else if (path.includes('/products?'))
              for (const { product } of answer.data.slice(0, 2)) product.slug = 'same'
            return answer
          },
        ),
      )
      const { code, findingOf } = await diagnose({
        ...defaultSystems(),
        inventory: rest(`${inconsistent.address}/acme`),
      })
      await inconsistent.close()
      expect(code).to.equal(1)
      expect(findingOf('unknown_to_items')).to.include({ severity: 'error' })
      expect(findingOf('duplicate_slug')!.finding).to.match(/^4 of 200 products share their slug/)
    })

    it('finds a clock that differs from ours', async () => {
      const clockSkewed = await startScriptedUpstream((response, seen, request) =>
        respondJson({ status: 'ok', data: [], has_more: false }, 200, {
          date: new Date(Date.now() - 3_600_000).toUTCString(),
        })(response, seen, request),
      )
      const { findingOf } = await diagnose({ inventory: rest(clockSkewed.address) })
      await clockSkewed.close()
      expect(findingOf('clock')!.finding).to.match(/^the clock of the system is 3(599|60\d) s behind ours$/)
    })
  })

  it('reports imported fitment, and whether the inventory finds its products', async () => {
    const inventory = rest(`${embedded.inventory.address}/acme`)
    const systems = { inventory, fitment: 'imported' }
    const rows = async () => {
      const { code, operations } = await diagnose(systems, '--system', 'inventory,fitment')
      return { code, rowOf: (name: string) => operations.find(({ operation }) => operation === name) }
    }
    const before = await rows()
    expect([before.code, before.rowOf('imported')?.result]).to.deep.equal([0, 'warning'])
    expect(before.rowOf('imported')?.remedy).to.include('fitment import <file> --merchant acme --mode live')
    expect(existsSync(join(cwd, 'data', 'forecourt.db')), 'nothing is written').to.equal(false)
    expect(before.rowOf('search (among SKUs)')?.result).to.equal('ok')
    await writeFile(join(cwd, 'x.csv'), 'sku,universal\nOIL,yes\n')
    await host.run(['fitment', 'import', 'x.csv', '--merchant', 'acme', '--mode', 'live'], { cwd })
    const after = (await rows()).rowOf('imported')
    expect(after?.result).to.equal('ok')
    expect(after?.finding).to.match(/^x\.csv, 0 fitments and 1 universal parts?: 1 SKUs?, 0 vehicles, since 20/)
  })

  it('fails a missing search, whatever the other operations do', async () => {
    const passThrough = proxyWith(
      () => `${embedded.inventory.address}/acme`,
      (_path, answer) => answer,
    )
    const missing = await startScriptedUpstream((response, seen, request) => {
      if (seen.path.startsWith('/products?')) respondJson({}, 404)(response, seen, request)
      else passThrough(response, seen, request)
    })
    const { code, operations } = await diagnose({ inventory: rest(missing.address) }, '--system', 'inventory')
    await missing.close()
    expect([code, operations.find(({ operation }) => operation === 'search')?.result]).to.deep.equal([1, 'failed'])
  })

  it('reports an unknown customer once, as a warning', async () => {
    await writeConfigFile(defaultSystems())
    const { code, out } = await host.run(['doctor', '--customer', 'nobody@x.example', '--sample', '0'], { cwd })
    expect(code).to.equal(0)
    expect(out.match(/no customer has the email address/g)).to.have.lengthOf(1)
    expect(out).to.match(/\nNo errors found: 0 errors, 1 warning, \d+ notes?\.\n$/)
  })

  it('warns of customers who cannot register without a mail server', async () => {
    await writeConfigFile(defaultSystems(), { mail: undefined }, { registration: 'immediate' })
    const { code, out } = await host.run(['doctor', '--json', '--system', 'accounting', '--sample', '0'], { cwd })
    const { merchants } = JSON.parse(out) as Report
    expect(code).to.equal(0)
    expect(merchants[0]!.findings.filter(({ check }) => check === 'registration')).to.deep.equal([
      {
        severity: 'warning',
        check: 'registration',
        systems: ['accounting'],
        finding:
          'no mail server is configured: a customer who already exists in accounting cannot register, because only an email proves who they are',
        remedy: 'Set mail.url and mail.from in the configuration',
      },
    ])
  })

  it('tries a picture that the system serves, and suggests no remedy without one', async () => {
    const remote = await startScriptedUpstream(
      proxyWith(
        () => embedded.inventory.address,
        (_path, answer) => {
          for (const { product } of Array.isArray(answer.data) ? answer.data : []) if (product) product.media = []
          return answer
        },
      ),
    )
    const systems = { inventory: rest(`${remote.address}/acme`) }
    const { operations } = await diagnose(systems, '--system', 'inventory')
    await remote.close()
    const row = operations.find(({ operation }) => operation === 'picture')
    expect(row).to.include({ result: 'not tried', remedy: null })
    expect(row!.finding).to.equal('none of the 200 sampled products has a picture that the system serves')
  })

  it('stops calling a ledger that hangs after a few calls', async () => {
    await using hanging = await startScriptedUpstream(hang)
    const { code, operations } = await diagnose({ accounting: rest(hanging.address) }, '--timeout', '20')
    expect(code).to.equal(1)
    const asked = operations.filter(({ result }) => result === 'failed')
    expect(asked.length).to.be.at.most(5)
    for (const { finding } of asked) expect(finding).to.equal('no response within 20 ms')
  })

  it('suggests http for an https address whose server does not speak TLS', async () => {
    const plain = createServer(() => {}).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    const { findingOf } = await diagnoseInOwnProcess({ pricing: rest(`https://127.0.0.1:${port}`) })
    plain.close()
    expect(findingOf('connection')!.remedy).to.match(
      /^If the system speaks plain HTTP, use http, not https, in .*address/,
    )
  })

  it('redacts a token that a system repeats', async () => {
    const token = 'T0ken-of-the-year-2026'
    const echoing = await startScriptedUpstream((response, { headers }) => {
      response.writeHead(500).end(`cannot serve ${headers.authorization}`)
    })
    const { out, operations } = await diagnose({ inventory: { ...rest(echoing.address), token } })
    await echoing.close()
    expect(operations[0]!.finding).to.match(/responded 500: cannot serve Bearer …/)
    expect(out).to.not.include(token).and.not.include('oken-of-the-year')
  })

  it('prints its findings so far when it is interrupted', async () => {
    await using hanging = await startScriptedUpstream(hang)
    await writeConfigFile({ ...defaultSystems(), pricing: rest(hanging.address) })
    const doctor = startCommand(['doctor', '--timeout', '60000', '--system', 'inventory,pricing'], { cwd })
    await until('the pricing is asked', () => hanging.pending > 0)
    doctor.child.kill('SIGINT')
    const { code, out } = await doctor.ended
    expect(code).to.equal(130)
    expect(out).to.match(/The check is incomplete/)
  })

  it('stops after --within, and reports that the check is incomplete', async () => {
    await using hanging = await startScriptedUpstream(hang)
    await writeConfigFile({ pricing: rest(hanging.address) })
    const { code, out } = await runCommand(['doctor', '--timeout', '60000', '--within', '1'], { cwd })
    expect(code).to.equal(1)
    expect(out).to.match(/The check is incomplete/)
  })

  describe('with invalid options', () => {
    for (const [what, options, sentence] of [
      ['an unknown merchant', ['--merchant', 'zenith'], /There is no merchant "zenith".*acme/],
      ['an unknown system', ['--system', 'warehouse'], /There is no system "warehouse"/],
      ['an unknown mode', ['--mode', 'test'], /live or sandbox/],
      ['an invalid sample', ['--sample', 'some'], /--sample takes a whole number .* or all/],
      ['an invalid timeout', ['--timeout', '1'], /--timeout takes/],
    ] as const) {
      it(`exits 2 for ${what}`, async () => {
        await writeConfigFile(defaultSystems())
        const { code, out, err } = await host.run(['doctor', ...options], { cwd })
        expect([code, out]).to.deep.equal([2, ''])
        expect(err).to.match(sentence)
      })
    }

    for (const [what, systems, options, sentence] of [
      [
        ...['a system that is not configured', defaultSystems, ['--system', 'fitment']],
        /^Nothing was checked: fitment is not configured for acme \(live\)\. Configured: inventory, pricing, accounting\./,
      ],
      ['a merchant without systems', () => ({}), [], /^Nothing was checked: no system is configured for acme \(live\)/],
    ] as [string, () => object, string[], RegExp][]) {
      it(`exits 2 for ${what}: nothing was checked`, async () => {
        await writeConfigFile(systems())
        const { code, out, err } = await host.run(['doctor', ...options], { cwd })
        expect([code, out]).to.deep.equal([2, ''])
        expect(err).to.match(sentence)
      })
    }

    it('exits 2 without a configuration or a demo, and explains what to do', async () => {
      const empty = await mkdtemp(join(tmpdir(), 'forecourt-doctor-'))
      const { code, err } = await host.run(['doctor', '--sandbox-port', '9'], { cwd: empty })
      await rm(empty, { recursive: true })
      expect(code).to.equal(2)
      expect(err).to.match(/no demo .* on port 9 .*--sandbox-port <port>/)
      expect(err).to.match(/--config <file>, or start the demo in another terminal: node \S+forecourt\.js demo/)
    })
  })
})
