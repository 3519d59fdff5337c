import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Type } from 'typebox'
import { toTrytonDecimal } from '../../adapters/tryton/client/tryton-values.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createCommandHost } from '../support/command-host.ts'
import { createCall } from '../support/create-call.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { trytonSeriesDifferences } from './support/tryton-series-differences.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))
const Anything = responseSchema(Type.Unknown())
const Access = responseSchema(
  Type.Array(
    Type.Object({
      id: Type.Integer(),
      model: Type.Union([Type.Integer(), Type.String()]),
      'model.': Type.Optional(Type.Object({ model: Type.String() })),
    }),
  ),
)

interface Report {
  well: boolean
  errors: number
  warnings: number
  merchants: {
    operations: { system: string; operation: string; result: string; finding: string | null }[]
    findings: { check: string; severity: string; finding: string; remedy: string }[]
  }[]
}

describe('forecourt doctor on a real Tryton', function () {
  this.timeout(1_200_000)
  const { storefront, clerk: desk } = trytonAccess()
  const { rpc, close } = connectClerk(desk)
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-doctor-'))
  })
  after(async () => {
    host.stop()
    await close()
    await rm(cwd, { recursive: true, force: true })
  })

  const healthy = { adapter: 'tryton', ...storefront, brand_attribute: 'brand', mpn_attribute: 'mpn' }

  /** Returns the output and exit code of the doctor for a merchant with these settings. */
  async function look(settings: object = {}, merchant: object = {}, options: string[] = []) {
    const system = { ...healthy, ...settings, limits: { timeout_ms: 50_000 } }
    const live = { inventory: system, pricing: system, accounting: system }
    const file = { deadline_ms: 60_000, merchants: { spares: { ...shop, ...merchant, live } } }
    await writeFile(join(cwd, 'forecourt.yaml'), JSON.stringify(file))
    const { code, out, err } = await host.run(['doctor', '--json', '--sample', '0', ...options], { cwd })
    if (!out) throw new Error(err)
    const report = JSON.parse(out) as Report
    const { findings, operations } = report.merchants[0]!
    const found = (check: string) => findings.find((one) => one.check === check)
    return { code, out, report, operations, findings, found }
  }
  const shop = { name: 'Blue Mountain Motor Spares', currency: 'JMD', time_zone: 'America/Jamaica' }

  /** A proxy in front of the server, which sees requests and may change responses. */
  async function between(change: (method: string, text: string) => string = (_, text) => text) {
    const methods: string[] = []
    const door: ScriptedUpstream = await startScriptedUpstream(async (response, { path, headers, body }) => {
      const { method } = JSON.parse(body) as { method: string }
      const { authorization } = headers
      const answer = await fetch(`${storefront.address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body,
      })
      // The path for calls depends on the series: at the other one, the server does nothing.
      if (answer.status !== 405) methods.push(method)
      const text = change(method, await answer.text())
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })
    return { door, methods }
  }

  it('finds no problem in a correct setup, and writes nothing', async () => {
    const { door, methods } = await between()
    const { code, report, operations } = await look({ address: door.address }, {}, ['--sample', '50'])
    await door.close()
    expect([code, report.errors, report.well]).to.deep.equal([0, 0, true])
    expect(operations.filter(({ result }) => result === 'failed')).to.deep.equal([])
    expect(operations.filter(({ result }) => result === 'ok').length).to.be.above(20)
    // The last three compute values of a sale that is not stored.
    const reading =
      /\.(search_read|search_count|search|read|fields_get|get_access|get_preferences|login|logout|version|default_get|on_change|on_change_with)$/
    expect(methods.filter((method) => !reading.test(method))).to.deep.equal([])
    const of = (name: string) => methods.filter((method) => method === `common.db.${name}`)
    expect(of('logout').length, 'no session is left behind').to.equal(of('login').length)
  })

  describe('in the settings', () => {
    for (const [what, settings, check, remedy] of [
      ['a wrong database', { database: 'nowhere' }, 'database', /live\.inventory\.database/],
      ['a port where nothing listens', { address: 'http://127.0.0.1:9' }, 'connection', /Nothing listens/],
      ['a company that is not there', { company: 99 }, 'company', /\.company.* 1 \(Blue Mountain Motor Spares\)/],
      ['a warehouse that is not there', { warehouse: 'Atlantis' }, 'warehouse', /Kingston \(KGN\)/],
      ['a catalog root that is not there', { catalog_root: 'Katalog' }, 'catalog_root', /Catalog, Tags/],
      ['a root of tags that is not there', { tags_root: 'Labels' }, 'tags_root', /Catalog, Tags/],
      ['a brand attribute that is not there', { brand_attribute: 'make' }, 'brand_attribute', /brand, mpn/],
      ['a payment term that is not there', { cash_term: 'On the nail' }, 'cash_term', /\.cash_term/],
    ] as const) {
      it(`finds ${what}`, async () => {
        const { code, found } = await look(settings, {}, [
          '--system',
          check === 'cash_term' ? 'accounting' : 'inventory',
        ])
        expect(code).to.equal(1)
        expect(found(check)).to.include({ severity: 'error' })
        expect(found(check)!.remedy).to.match(remedy)
      })
    }

    it('finds a wrong password, tries it once, and does not print it', async () => {
      const { door, methods } = await between()
      const password = 'Sesame-Open-7391'
      const { code, out, found, operations } = await look({ password, address: door.address })
      await door.close()
      expect(code).to.equal(1)
      expect(found('login')).to.include({ severity: 'error' })
      expect(found('login')!.remedy).to.match(/live\.inventory\.password/)
      expect(methods.filter((method) => method === 'common.db.login')).to.have.lengthOf(1)
      expect(out).to.not.include(password).and.not.include('Sesame')
      expect(new Set(operations.map(({ result }) => result))).to.deep.equal(new Set(['not tried']))
    })

    it('finds another server at the address', async () => {
      const page = await startScriptedUpstream((response) => void response.writeHead(200).end('<h1>It works!</h1>'))
      const { code, found } = await look({ address: page.address }, {}, ['--system', 'inventory'])
      await page.close()
      expect(code).to.equal(1)
      expect(found('address')!.remedy).to.match(/address/)
    })

    it('finds a currency and a time zone that differ from the company', async () => {
      const { code, found } = await look({}, { currency: 'USD', time_zone: 'Europe/Berlin' }, ['--system', 'inventory'])
      expect(code).to.equal(1)
      expect(found('currency')!.remedy).to.equal(
        'Set merchants.spares.currency to JMD, or set merchants.spares.live.inventory.company to another company',
      )
      expect(found('time_zone')!.finding).to.match(/America\/Jamaica.*Europe\/Berlin/)
    })

    it('warns of an account that administers Tryton, and exits 1 with --strict', async () => {
      const { user, password } = desk
      const { code, found } = await look({ user, password }, {}, ['--strict', '--system', 'inventory'])
      expect(code).to.equal(1)
      expect(found('administrator')).to.include({ severity: 'warning' })
      expect(found('administrator')!.remedy).to.match(/separate account for the storefront/)
    })
  })

  describe('in Tryton', () => {
    const find = (model: string, domain: unknown[]) =>
      rpc(Ids, `${model}.search`, [domain, 0, null, [['id', 'ASC']]], createCall())
    const act = (method: string, ...params: unknown[]) => rpc(Anything, method, params, createCall())

    it('finds a module that is missing', async () => {
      // Tryton cannot deactivate a module: the proxy hides it.
      const { door } = await between((method, text) => {
        if (method !== 'model.ir.module.search_read') return text
        const answer = JSON.parse(text) as { result: { name: string }[] }
        return JSON.stringify({ ...answer, result: answer.result.filter(({ name }) => name !== 'web_shop') })
      })
      const { code, found } = await look({ address: door.address }, {}, ['--system', 'accounting'])
      await door.close()
      expect(code).to.equal(1)
      expect(found('module web_shop')!.remedy).to.match(/activate web_shop/)
    })

    describe('among rights', () => {
      const login = `poor-${Date.now().toString(36)}`
      const password = 'Kx7Qm2Vb9Ld4Rw8T'
      const made = { group: 0, user: 0, access: [] as number[], buttons: [] as number[] }
      const FIELDS = ['model', 'perm_read', 'perm_write', 'perm_create', 'perm_delete']

      // The processes of Tryton cache the rights of an account for minutes, so the test uses an account of its own.
      before(async () => {
        const [storefronts] = await find('res.group', [['name', '=', 'Storefront']])
        const [group] = await rpc(Ids, 'res.group.create', [[{ name: login }]], createCall())
        made.group = group!
        const of = ['group', '=', storefronts]
        const rows = await rpc(
          Access,
          'ir.model.access.search_read',
          [[of], 0, null, null, [...FIELDS, trytonSeriesDifferences().rightsModel]],
          createCall(),
        )
        const kept = rows.filter((row) => (row['model.']?.model ?? row.model) !== 'account.invoice')
        const values = kept.map(({ id: _, 'model.': __, ...row }) => ({ ...row, group }))
        made.access = await rpc(Ids, 'ir.model.access.create', [values], createCall())
        const confirm = [
          [trytonSeriesDifferences().rightsModel, '=', 'sale.sale'],
          ['name', '=', 'confirm'],
        ]
        const [barred] = await find('ir.model.button', confirm)
        made.buttons = (await find('ir.model.button', [['groups', '=', storefronts]])).filter((id) => id !== barred)
        await act('ir.model.button.write', made.buttons, { groups: [['add', [group]]] })
        const user = { name: login, login, password, groups: [['add', [group]]] }
        const [id] = await rpc(Ids, 'res.user.create', [[user]], createCall())
        made.user = id!
        await act('res.user.write', [id], { companies: [['add', [1]]], company: 1 })
      })
      after(async () => {
        // Tryton cannot delete a user.
        await act('res.user.write', [made.user], { active: false, groups: [['remove', [made.group]]] })
        await act('ir.model.button.write', made.buttons, { groups: [['remove', [made.group]]] })
        await act('ir.model.access.delete', made.access)
        await act('res.group.delete', [made.group])
      })

      it('finds a missing right, and a button that the account may not press', async () => {
        const { code, found, findings } = await look({ user: login, password }, {}, ['--system', 'accounting'])
        expect(code).to.equal(1)
        const errors = findings.filter(({ severity }) => severity === 'error').map(({ check }) => check)
        expect(errors).to.deep.equal(['right account.invoice', 'button sale.sale.confirm'])
        expect(found('right account.invoice')!.remedy).to.match(/"read" on account\.invoice/)
        expect(found('button sale.sale.confirm')!.remedy).to.match(/button confirm of sale\.sale/)
      })
    })

    describe('among products', () => {
      const made: number[] = []

      before(async () => {
        const [unit] = await find('product.uom', [['name', '=', 'Unit']])
        const [taxed] = await find('product.category', [['name', '=', 'Goods with GCT']])
        const common = { type: 'goods', default_uom: unit, sale_uom: unit, salable: true, products: [['create', [{}]]] }
        const create = async (values: object) => {
          const ids = await rpc(Ids, 'product.template.create', [[{ ...common, ...values }]], createCall())
          made.push(...ids)
          return find('product.product', [['template', 'in', ids]])
        }
        await create({ name: 'Typed in twice', code: 'pad-001', list_price: null })
        const sold = { code: 'REP-001', list_price: toTrytonDecimal('1.00'), account_category: taxed }
        // From 8.2 on, a product cannot be created inactive, and no two active ones may have the same code.
        await act('product.product.write', await create({ ...sold, name: 'Replaced' }), { active: false })
        await create({ ...sold, name: 'The replacement' })
      })
      after(() => act('product.template.delete', made))

      it('finds duplicate codes, missing prices, and products without a tax', async () => {
        const { found, findings } = await look()
        expect(found('duplicate_sku')!.finding).to.match(/REP-001 \(products \d+, \d+\)/)
        expect(found('duplicate_sku')!.remedy).to.match(/their own codes/)
        expect(found('similar_sku')!.finding).to.match(/"PAD-001" \(product \d+\) and "pad-001" \(product \d+\)/)
        expect(found('product_without_price')!.finding).to.match(/1 of \d+ products .*: pad-001$/)
        expect(found('product_without_price')!.remedy).to.match(/List Price/)
        expect(found('product_without_tax')!.finding).to.match(/: pad-001$/)
        expect(findings.filter(({ severity }) => severity === 'error')).to.deep.equal([])
      })
    })
  })
})
