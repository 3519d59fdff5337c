import { expect } from 'chai'
import { examine } from '../../../adapters/odoo/doctor/examine.ts'
import type { OdooSettings } from '../../../adapters/odoo/settings.ts'
import type { PortName } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { startScriptedUpstream } from '../../support/scripted-upstream.ts'

interface JsonBody {
  domain?: unknown[]
  operation?: string
  group_ext_id?: string
  allfields?: string[]
  context?: { lang?: string; allowed_company_ids?: number[] }
  params?: { service: string; method: string }
}

interface OdooOptions {
  /** The databases that the server lists; `null`: it does not tell. */
  databases?: string[] | null
  /** Rights as `operation model`, fields as `model.field`, and groups by external id that the user lacks. */
  lacks?: string[]
}

const found = (...records: object[]) => ({ length: records.length, records })
const error = (name: string, message: string) => ({ name, message, arguments: [], context: {}, debug: 'Traceback' })
const NO_DATABASE =
  '<!DOCTYPE html>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>No database is selected and the requested URL was not found in the server-wide controllers.</p>'

const tables: Record<string, object> = {
  'res.users': found({
    id: 5,
    company_ids: [
      { id: 1, name: 'Acme' },
      { id: 4, name: 'Acme Parts' },
    ],
  }),
  'res.users.apikeys': found(),
  'res.company': found({
    ...{ id: 1, currency_id: { id: 90, name: 'JMD' }, country_id: { id: 1, code: 'JM' } },
    ...{ tax_calculation_rounding_method: 'round_per_line', account_use_credit_limit: true },
  }),
  'stock.warehouse': found({ id: 1, code: 'WH', name: 'Kingston' }),
  'account.payment.term': found({ id: 1, name: 'Immediate Payment' }, { id: 2, name: '15 Days' }),
  'res.country': found({ id: 1, code: 'JM' }, { id: 2, code: 'US' }),
}

/** Responds as Odoo 19 does. Without a database of the name `shop`, it has none. */
function respond(
  path: string,
  database: string | undefined,
  body: JsonBody,
  { databases = null, lacks = [] }: OdooOptions,
) {
  if (path === '/web/version') return [200, { version: '19.0' }]
  if (path === '/jsonrpc') {
    if (body.params?.service === 'common') return [200, { jsonrpc: '2.0', id: 1, result: { server_serie: '19.0' } }]
    const denied = { data: error('odoo.exceptions.AccessDenied', 'Access Denied') }
    return [200, { jsonrpc: '2.0', id: 1, ...(databases ? { result: databases } : { error: denied }) }]
  }
  const [model = '', method] = path.replace('/json/2/', '').split('/')
  if (database !== undefined && database !== 'shop') return [404, NO_DATABASE]
  if (method === 'context_get') return [200, { uid: 5, tz: 'UTC', lang: 'en_US' }]
  if (method === 'get_installed')
    return [
      200,
      [
        ['en_US', 'English (US)'],
        ['fr_FR', 'French'],
      ],
    ]
  const { lang = 'en_US', allowed_company_ids = [1] } = body.context ?? {}
  if (!['en_US', 'fr_FR'].includes(lang))
    return [422, error('odoo.exceptions.UserError', `Invalid language code: ${lang}`)]
  if (![1, 4].includes(allowed_company_ids[0]!))
    return [403, error('odoo.exceptions.AccessError', 'Access to unauthorized or invalid companies.')]
  if (method === 'has_access')
    return [
      200,
      body.operation === 'read' || body.operation !== 'write'
        ? !lacks.includes(`${body.operation} ${model}`) && !/^(res.users|product.template)$/.test(model)
        : model === 'stock.picking' && !lacks.includes(`write ${model}`),
    ]
  if (method === 'has_group')
    return [200, body.group_ext_id !== 'sale.group_auto_done_setting' && !lacks.includes(body.group_ext_id!)]
  if (method === 'fields_get')
    return [
      200,
      Object.fromEntries(
        body
          .allfields!.filter((field) => !lacks.includes(`${model}.${field}`))
          .map((field) => [field, { type: 'char' }]),
      ),
    ]
  if (method === 'search_count')
    return [
      200,
      JSON.stringify(body.domain).includes('default_code","!=",false') &&
      !JSON.stringify(body.domain).includes('list_price')
        ? 3
        : 0,
    ]
  if (method === 'formatted_read_group') return [200, []]
  return [200, tables[model] ?? found()]
}

async function examineWith(
  settings: Partial<OdooSettings>,
  options: OdooOptions = {},
  systems: PortName[] = ['inventory', 'pricing', 'accounting'],
) {
  await using upstream = await startScriptedUpstream((response, { path, headers, body }) => {
    const database = headers['x-odoo-database'] as string | undefined
    const [status, reply] = respond(path, database, JSON.parse(body || '{}') as JsonBody, options) as [number, unknown]
    const type = typeof reply === 'string' ? 'text/html' : 'application/json'
    const date = odooMerchant.now().toUTCString()
    response
      .writeHead(status, { 'content-type': type, date })
      .end(typeof reply === 'string' ? reply : JSON.stringify(reply))
  })
  await using client = createHttpClient({ address: upstream.address, maxSockets: 2, maxResponseBytes: 100_000 })
  const scope = { systems, call: createCall }
  const findings = []
  for await (const finding of examine({ api_key: 'secret', ...settings }, client, odooMerchant, scope))
    if (finding.severity !== 'note') findings.push(finding)
  return findings
}

describe('odoo: doctor, settings that do not fit', () => {
  it('finds nothing wrong with those that fit', async () => {
    const settings = {
      database: 'shop',
      company: 4,
      language: 'fr_FR',
      warehouse: 'WH',
      cash_term: '15 Days',
      country: 'JM',
    }
    expect(await examineWith(settings)).to.deep.equal([])
  })

  it('names the databases of the server, and checks nothing else', async () => {
    const finding = { severity: 'error', check: 'database', finding: 'Odoo has no database "nope"', blocks: true }
    expect(await examineWith({ database: 'nope' }, { databases: ['shop', 'test'] })).to.deep.equal([
      { ...finding, remedy: 'Set {path}.database to one of: shop, test' },
    ])
    expect(await examineWith({ database: 'nope' })).to.deep.equal([
      {
        ...finding,
        remedy:
          'Set {path}.database to the name of the database in Odoo. This server does not list its databases: whoever runs it knows the name',
      },
    ])
  })

  it('names the installed languages, and checks nothing else', async () => {
    expect(await examineWith({ language: 'de_DE' })).to.deep.equal([
      {
        severity: 'error',
        check: 'language',
        finding: 'the language de_DE is not installed in Odoo',
        remedy:
          'Set {path}.language to one of: en_US (English (US)), fr_FR (French). Or install the language in Odoo (Settings > Translations > Languages)',
        blocks: true,
      },
    ])
  })

  it('names the companies of the user, and checks nothing else', async () => {
    expect(await examineWith({ company: 77 })).to.deep.equal([
      {
        severity: 'error',
        check: 'company',
        finding: 'the user of the key does not belong to company 77, or there is no such company',
        remedy:
          'Set {path}.company to one of: 1 (Acme), 4 (Acme Parts). Or add the company to the user in Odoo (Settings > Users)',
        blocks: true,
      },
    ])
  })

  it('names the payment terms, the countries and the warehouses', async () => {
    expect(await examineWith({ cash_term: 'Cash', country: 'ZZ', warehouse: 'X' })).to.deep.equal([
      {
        severity: 'error',
        check: 'warehouse',
        finding: 'there is no warehouse "X"',
        remedy: 'Set {path}.warehouse to one of: WH (Kingston)',
      },
      {
        severity: 'error',
        check: 'cash_term',
        finding: 'there is no payment term "Cash": nobody can order with cash on delivery',
        remedy: 'Set {path}.cash_term to one of: "Immediate Payment", "15 Days"',
      },
      {
        severity: 'error',
        check: 'country',
        finding: 'there is no country with the code ZZ',
        remedy: 'Set {path}.country to one of: JM, US',
      },
    ])
  })
})

describe('odoo: doctor, rights', () => {
  it('names one group for all the rights and fields that the user lacks', async () => {
    const lacks = ['res.partner.credit_limit', 'res.partner.credit', 'account.move.invoice_payments_widget']
    expect(await examineWith({}, { lacks: [...lacks, 'account.group_account_readonly'] })).to.deep.equal([
      {
        severity: 'error',
        check: 'right',
        finding:
          'the user may not read credit_limit of res.partner, read credit of res.partner, read invoice_payments_widget of account.move',
        remedy: 'Give the user the group "Show Accounting Features - Readonly" in Odoo (Settings > Users)',
      },
    ])
    const stock = ['read stock.move', 'write stock.picking', 'stock.group_stock_user']
    expect((await examineWith({}, { lacks: stock })).map(({ finding }) => finding)).to.deep.equal([
      'the user may not read stock.move, write stock.picking',
    ])
  })

  it('warns of a group that the user lacks, although it has the rights', async () => {
    expect(await examineWith({}, { lacks: ['stock.group_stock_user'] })).to.deep.equal([
      {
        severity: 'warning',
        check: 'group',
        finding:
          'the user does not have the group "Inventory: User", for stock and deliveries: other groups give it the rights that Forecourt needs now, but it loses them with these groups',
        remedy: 'Give the user the group "Inventory: User" in Odoo (Settings > Users)',
      },
    ])
  })

  it('checks only what the systems of the merchant need', async () => {
    const lacks = ['account.group_account_readonly', 'res.partner.credit_limit']
    expect(await examineWith({ cash_term: 'Cash' }, { lacks }, ['inventory'])).to.deep.equal([])
  })
})
