import { expect } from 'chai'
import { examine } from '../../../adapters/odoo/doctor/examine.ts'
import type { OdooSettings } from '../../../adapters/odoo/settings.ts'
import type { PortName } from '../../../src/ports/system.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { type ExaminedOdooOptions, startExaminedOdoo } from './examined-odoo.ts'

async function examineWith(
  settings: Partial<OdooSettings>,
  options: ExaminedOdooOptions = {},
  systems: PortName[] = ['inventory', 'pricing', 'accounting'],
) {
  await using upstream = await startExaminedOdoo(options)
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
          'the user is not in the group "Inventory: User" (for stock and deliveries): other groups give the user the same rights, so the user loses the rights when it leaves those groups',
        remedy: 'Give the user the group "Inventory: User" in Odoo (Settings > Users)',
      },
    ])
  })

  it('checks only what the systems of the merchant need', async () => {
    const lacks = ['account.group_account_readonly', 'res.partner.credit_limit']
    expect(await examineWith({ cash_term: 'Cash' }, { lacks }, ['inventory'])).to.deep.equal([])
  })
})
