import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand, startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../../support/sandbox-systems.ts'
import { hang, respondJson, startScriptedUpstream, type UpstreamScript } from '../../support/scripted-upstream.ts'
import { until } from '../../support/until.ts'

interface Report {
  well: boolean
  errors: number
  failed_operations: number
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
    ...{ adapter: 'rest', address, token: 'sandbox', limits: { timeout_ms: 30_000 } },
    ...settings,
  })
  const usual = () => ({
    inventory: rest(`${embedded.inventory.address}/acme`),
    pricing: rest(`${embedded.pricing.address}/acme`),
    accounting: rest(`${embedded.accounting.address}/acme`),
  })

  async function configured(systems: object): Promise<void> {
    const merchants = { acme: { name: 'Acme Parts', currency: 'JMD', time_zone: 'America/Jamaica', live: systems } }
    await writeFile(join(cwd, 'forecourt.yaml'), JSON.stringify({ deadline_ms: 60_000, merchants }))
  }

  const look = (systems: object, ...options: string[]) => lookBy(host.run, systems, options)
  /** In a process of its own. */
  const lookAlone = (systems: object) => lookBy(runCommand, systems, [])

  async function lookBy(by: typeof runCommand, systems: object, options: string[]) {
    await configured(systems)
    const { code, out, err } = await by(['doctor', '--json', '--sample', '200', ...options], { cwd })
    if (out === '') throw new Error(err)
    const report = JSON.parse(out) as Report
    const { operations, findings } = report.merchants[0]!
    return { code, out, report, operations, found: (check: string) => findings.find((one) => one.check === check) }
  }

  /** A system of the sandbox, whose answers somebody changes on their way. */
  function altered(address: () => string, change: (path: string, answer: Rows) => Rows): UpstreamScript {
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

  describe('where all is well', () => {
    let all: Awaited<ReturnType<typeof look>>
    before(async () => {
      all = await look(usual(), '--sample', 'all')
    })

    it('asks every operation that reads, and exits 0', async () => {
      const { code, report, operations } = all
      expect([code, report.well, report.errors]).to.deep.equal([0, true, 0])
      const results = Map.groupBy(operations, ({ result }) => result)
      expect([...results.keys()].toSorted()).to.deep.equal(['not tried', 'ok'])
      expect(results.get('ok')!.map(({ system, operation }) => `${system} ${operation}`)).to.deep.equal([
        ...['search', 'search (updated_since)', 'items', 'categories', 'tags', 'vehicleFacet (year)'].map(inventory),
        ...['vehicleFacet (make)', 'vehicleFacet (model)', 'vehicleItems', 'fitments'].map(inventory),
        ...['picture', 'stockChanges'].map(inventory),
        ...['prices', 'prices (of a customer)', 'quote', 'priceChanges'].map((name) => `pricing ${name}`),
        ...['taxes', 'orderChanges', 'invoiceChanges', 'customer', 'findCustomer'].map(accounting),
        ...['taxes (of a customer)', 'credit', 'orders', 'order', 'payment', 'invoices', 'invoice'].map(accounting),
      ])
    })
    const inventory = (name: string) => `inventory ${name}`
    const accounting = (name: string) => `accounting ${name}`

    it('tells scripts the same members for each operation and finding', () => {
      const { report } = all
      expect(report).to.have.all.keys(
        'well',
        'errors',
        'warnings',
        'notes',
        'failed_operations',
        'finished',
        'merchants',
      )
      const [merchant] = report.merchants
      expect(merchant).to.have.all.keys('merchant', 'mode', 'finished', 'operations', 'findings')
      const members = ['system', 'operation', 'result', 'latency_ms', 'limit_ms', 'finding', 'remedy']
      for (const row of merchant!.operations) expect(row).to.have.all.keys(members)
      for (const one of merchant!.findings)
        expect(one).to.have.all.keys('severity', 'check', 'systems', 'finding', 'remedy')
    })

    it('warns of products without a price, which is a failure for the strict', async () => {
      const { code, found } = all
      expect(code).to.equal(0)
      expect(found('product_without_price')).to.include({ severity: 'warning' })
      expect(found('product_without_price')!.finding).to.match(/^\d+ of \d+ products have no price.*AF-1029/)
      expect((await look(usual(), '--strict')).code).to.equal(1)
    })

    it('asks about the customer who is named, by mailbox too', async () => {
      const { operations } = await look(usual(), '--customer', 'credit@demo.example', '--system', 'accounting')
      const row = operations.find(({ operation }) => operation === 'credit')
      expect(['ok', 'not tried']).to.include(row!.result)
    })
  })

  it('prints what is wrong and how to mend it', async () => {
    await configured({ inventory: { ...rest(`${embedded.inventory.address}/acme`), token: 'a-token-of-old' } })
    const { code, out, err } = await runCommand(['doctor'], { cwd })
    expect([code, err]).to.deep.equal([1, ''])
    expect(out).to.equal(`acme, live

SYSTEM     OPERATION               RESULT     COLD  WARM  WHAT IS WRONG, AND HOW TO MEND IT
inventory  search                  not tried              nothing can be asked until this is mended: token
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

FOUND  IN         WHAT IS WRONG, AND HOW TO MEND IT
error  inventory  the token is refused (GET /health answered 401)
                  → Give the token that the system expects in merchants.acme.live.inventory.token

Something must be mended: 1 error, 0 warnings, 0 notes.
`)
  })

  describe('of a planted misconfiguration', () => {
    it('finds a path that is not the protocol', async () => {
      const { code, found } = await look({ ...usual(), pricing: rest(`${embedded.pricing.address}/nobody`) })
      expect(code).to.equal(1)
      expect(found('path')).to.deep.include({ severity: 'error', systems: ['pricing'] })
      expect(found('path')!.remedy).to.match(/live\.pricing\.address/)
    })

    it('finds a port where nothing listens', async () => {
      const { code, found } = await look({ ...usual(), pricing: rest('http://127.0.0.1:9') })
      expect(code).to.equal(1)
      expect(found('connection')!.remedy).to.match(/Nothing listens at http:\/\/127\.0\.0\.1:9: start .*live\.pricing/)
    })

    it('finds what is no back office at all', async () => {
      const page = await startScriptedUpstream((response) => void response.writeHead(200).end('<h1>It works!</h1>'))
      const { code, found } = await look({ ...usual(), accounting: rest(page.address) })
      await page.close()
      expect(code).to.equal(1)
      expect(found('protocol')).to.deep.include({ severity: 'error', systems: ['accounting'] })
    })

    it('finds a system that hangs, and still asks the others', async () => {
      await embedded.pricing.setFault({ hang: true })
      const { code, operations, report } = await look(usual(), '--timeout', '1500', '--sample', '0')
      await embedded.pricing.setFault({})
      expect(code).to.equal(1)
      const results = Map.groupBy(operations, ({ system }) => system)
      expect(new Set(results.get('pricing')!.map(({ result }) => result))).to.deep.equal(new Set(['failed']))
      expect(results.get('pricing')![0]!.finding).to.equal('no answer within 1500 ms')
      expect(report.errors, 'errors as they are shown').to.be.below(report.failed_operations)
      expect(results.get('accounting')!.filter(({ result }) => result === 'ok')).to.have.length.above(8)
    })

    it('finds one operation that fails, and asks each of the others anew', async () => {
      await embedded.accounting.setFault({ status: 503, only: ['readCredit'] })
      const { code, operations } = await look(usual(), '--system', 'accounting')
      await embedded.accounting.setFault({})
      const failed = operations.filter(({ result }) => result === 'failed')
      expect(code).to.equal(1)
      expect(failed.map(({ operation }) => operation)).to.deep.equal(['credit'])
      expect(failed[0]!.finding).to.match(/answered 503/)
    })

    it('names the member that a product lacks', async () => {
      const lacking = await startScriptedUpstream(
        altered(
          () => embedded.inventory.address,
          (path, answer) => {
            if (path.includes('/products?')) delete answer.data[0]?.product.uom
            return answer
          },
        ),
      )
      const { code, found } = await look({ ...usual(), inventory: rest(`${lacking.address}/acme`) })
      await lacking.close()
      expect(code).to.equal(1)
      expect(found('protocol')!.finding).to.equal(
        'GET /products: 1 of 100 rows are left out, unexpected answer at /product: must have required properties uom (50%-CL&AF)',
      )
    })

    it('finds products that only the search knows, and slugs that are shared', async () => {
      const split = await startScriptedUpstream(
        altered(
          () => embedded.inventory.address,
          (path, answer) => {
            if (path.endsWith('/lookup')) answer.data.shift()
            else if (path.includes('/products?'))
              for (const { product } of answer.data.slice(0, 2)) product.slug = 'same'
            return answer
          },
        ),
      )
      const { code, found } = await look({ ...usual(), inventory: rest(`${split.address}/acme`) })
      await split.close()
      expect(code).to.equal(1)
      expect(found('unknown_to_items')).to.include({ severity: 'error' })
      expect(found('duplicate_slug')!.finding).to.match(/^4 of 200 products share their slug/)
    })

    it('finds clocks that are apart', async () => {
      const late = await startScriptedUpstream((response, seen, request) =>
        respondJson({ status: 'ok', data: [], has_more: false }, 200, {
          date: new Date(Date.now() - 3_600_000).toUTCString(),
        })(response, seen, request),
      )
      const { found } = await look({ inventory: rest(late.address) })
      await late.close()
      expect(found('clock')!.finding).to.match(/^the clock of the system is 3(599|60\d) s behind ours$/)
    })
  })

  it('tells of fitment that comes from a file, and whether its products can be found', async () => {
    const inventory = rest(`${embedded.inventory.address}/acme`)
    const systems = { inventory, fitment: 'imported' }
    const rows = async () => {
      const { code, operations } = await look(systems, '--system', 'inventory,fitment')
      return { code, told: (name: string) => operations.find(({ operation }) => operation === name) }
    }
    const before = await rows()
    expect([before.code, before.told('imported')?.result]).to.deep.equal([0, 'warning'])
    expect(before.told('imported')?.remedy).to.include('fitment import <file> --merchant acme --mode live')
    expect(existsSync(join(cwd, 'data', 'forecourt.db')), 'nothing is written').to.equal(false)
    expect(before.told('search (among SKUs)')?.result).to.equal('ok')
    await writeFile(join(cwd, 'x.csv'), 'sku,universal\nOIL,yes\n')
    await host.run(['fitment', 'import', 'x.csv', '--merchant', 'acme', '--mode', 'live'], { cwd })
    const after = (await rows()).told('imported')
    expect(after?.result).to.equal('ok')
    expect(after?.finding).to.match(/^x\.csv, 0 fitments and 1 universal parts?: 1 SKUs?, 0 vehicles, since 20/)
  })

  it('fails a search that is not there, however the others do', async () => {
    const goOn = altered(
      () => `${embedded.inventory.address}/acme`,
      (_path, answer) => answer,
    )
    const missing = await startScriptedUpstream((response, seen, request) => {
      if (seen.path.startsWith('/products?')) respondJson({}, 404)(response, seen, request)
      else goOn(response, seen, request)
    })
    const { code, operations } = await look({ inventory: rest(missing.address) }, '--system', 'inventory')
    await missing.close()
    expect([code, operations.find(({ operation }) => operation === 'search')?.result]).to.deep.equal([1, 'failed'])
  })

  it('tells once of a customer who is nobody, and does not call that well', async () => {
    await configured(usual())
    const { code, out } = await host.run(['doctor', '--customer', 'nobody@x.example', '--sample', '0'], { cwd })
    expect(code).to.equal(0)
    expect(out.match(/no customer has the mailbox/g)).to.have.lengthOf(1)
    expect(out).to.match(/\nNothing must be mended: 0 errors, 1 warning, \d+ notes?\.\n$/)
  })

  it('looks for a picture that is served from the system, and asks for no remedy where there is none', async () => {
    const remote = await startScriptedUpstream(
      altered(
        () => embedded.inventory.address,
        (_path, answer) => {
          for (const { product } of Array.isArray(answer.data) ? answer.data : []) if (product) product.media = []
          return answer
        },
      ),
    )
    const systems = { inventory: rest(`${remote.address}/acme`) }
    const { operations } = await look(systems, '--system', 'inventory')
    await remote.close()
    const row = operations.find(({ operation }) => operation === 'picture')
    expect(row).to.include({ result: 'not tried', remedy: null })
    expect(row!.finding).to.equal('none of the 200 products looked at keeps its pictures behind the system')
  })

  it('asks a ledger that hangs a few times, and then no more', async () => {
    await using deaf = await startScriptedUpstream(hang)
    const { code, operations } = await look({ accounting: rest(deaf.address) }, '--timeout', '20')
    expect(code).to.equal(1)
    const asked = operations.filter(({ result }) => result === 'failed')
    expect(asked.length).to.be.at.most(5)
    for (const { finding } of asked) expect(finding).to.equal('no answer within 20 ms')
  })

  it('looks for http where https was written, and the server waits for more', async () => {
    const plain = createServer(() => {}).listen(0, '127.0.0.1')
    await once(plain, 'listening')
    const { port } = plain.address() as AddressInfo
    const { found } = await lookAlone({ pricing: rest(`https://127.0.0.1:${port}`) })
    plain.close()
    expect(found('connection')!.remedy).to.match(
      /^If the system speaks plain http, write http, not https, in .*address/,
    )
  })

  it('keeps a token to itself that a system repeats', async () => {
    const token = 'T0ken-of-the-year-2026'
    const parrot = await startScriptedUpstream((response, { headers }) => {
      response.writeHead(500).end(`cannot serve ${headers.authorization}`)
    })
    const { out, operations } = await look({ inventory: { ...rest(parrot.address), token } })
    await parrot.close()
    expect(operations[0]!.finding).to.match(/answered 500: cannot serve Bearer …/)
    expect(out).to.not.include(token).and.not.include('oken-of-the-year')
  })

  it('prints what it knows when it is interrupted', async () => {
    await using deaf = await startScriptedUpstream(hang)
    await configured({ ...usual(), pricing: rest(deaf.address) })
    const doctor = startCommand(['doctor', '--timeout', '60000', '--system', 'inventory,pricing'], { cwd })
    await until('the pricing is asked', () => deaf.waiting > 0)
    doctor.child.kill('SIGINT')
    const { code, out } = await doctor.ended
    expect(code).to.equal(130)
    expect(out).to.match(/Not everything was looked at/)
  })

  it('ends in time, and says that it has not seen everything', async () => {
    await using deaf = await startScriptedUpstream(hang)
    await configured({ pricing: rest(deaf.address) })
    const { code, out } = await runCommand(['doctor', '--timeout', '60000', '--within', '1'], { cwd })
    expect(code).to.equal(1)
    expect(out).to.match(/Not everything was looked at/)
  })

  describe('told what makes no sense', () => {
    for (const [what, options, sentence] of [
      ['a merchant that is none', ['--merchant', 'zenith'], /There is no merchant "zenith".*acme/],
      ['a system that is none', ['--system', 'warehouse'], /There is no system "warehouse"/],
      ['a mode that is none', ['--mode', 'test'], /live or sandbox/],
      ['a sample that is none', ['--sample', 'some'], /--sample takes a whole number .* or all/],
      ['a time that is none', ['--timeout', '1'], /--timeout takes/],
    ] as const) {
      it(`exits 2 for ${what}`, async () => {
        await configured(usual())
        const { code, out, err } = await host.run(['doctor', ...options], { cwd })
        expect([code, out]).to.deep.equal([2, ''])
        expect(err).to.match(sentence)
      })
    }

    for (const [what, systems, options, sentence] of [
      [
        ...['a system that is not configured', usual, ['--system', 'fitment']],
        /^Nothing was examined: fitment is not configured for acme \(live\); what is: inventory, pricing, accounting\./,
      ],
      [
        'a merchant without systems',
        () => ({}),
        [],
        /^Nothing was examined: no system is configured for acme \(live\)/,
      ],
    ] as [string, () => object, string[], RegExp][]) {
      it(`exits 2 for ${what}: nothing was examined`, async () => {
        await configured(systems())
        const { code, out, err } = await host.run(['doctor', ...options], { cwd })
        expect([code, out]).to.deep.equal([2, ''])
        expect(err).to.match(sentence)
      })
    }

    it('exits 2 where there is neither a configuration nor a demo, and says what to do', async () => {
      const empty = await mkdtemp(join(tmpdir(), 'forecourt-doctor-'))
      const { code, err } = await host.run(['doctor', '--sandbox-port', '9'], { cwd: empty })
      await rm(empty, { recursive: true })
      expect(code).to.equal(2)
      expect(err).to.match(/no demo .* on port 9 .*--sandbox-port <port>/)
      expect(err).to.match(/--config <file>, or start the demo in another terminal: npx forecourt demo/)
    })
  })
})
