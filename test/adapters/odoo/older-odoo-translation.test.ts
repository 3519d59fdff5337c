import { expect } from 'chai'
import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { checkServer } from '../../../adapters/odoo/doctor/check-server.ts'
import { mapTaxes } from '../../../adapters/odoo/pricing/fiscal-position.ts'
import { createTaxTableReader } from '../../../adapters/odoo/pricing/tax-tables.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'
import { Anything, context, exchange, login, paramsOf, withOlderOdoo } from './older-odoo-upstream.ts'

const fault = (name: string, message: string) => ({ error: { code: 200, data: { name, message, debug: 'Traceback' } } })

describe('odoo: before version 19', () => {
  it('finds out once that a server has no JSON-2, and logs in once', async () => {
    await withOlderOdoo(
      () => ({ result: 3 }),
      async (rpc, upstream) => {
        for (const _ of [1, 2])
          expect(await rpc.call(Anything, 'res.partner/search_count', { domain: [] }, createCall())).to.equal(3)
        const call = ['shop', 7, 'secret', 'res.partner', 'search_count', [], { domain: [], context }]
        expect(upstream.requests[0]).to.include({ path: '/json/2/res.partner/search_count' })
        expect(upstream.requests).to.have.length(5)
        expect(paramsOf(upstream)).to.deep.equal([
          { service: 'common', method: 'version', args: [] },
          { service: 'common', method: 'authenticate', args: ['shop', 'forecourt', 'secret', {}] },
          { service: 'object', method: 'execute_kw', args: call },
          { service: 'object', method: 'execute_kw', args: call },
        ])
      },
    )
  })

  it('uses JSON-2 after the server was updated', async () => {
    await withOlderOdoo(
      () => ({ result: 3 }),
      async (rpc, upstream, clock) => {
        const count = () => rpc.call(Anything, 'res.partner/search_count', { domain: [] }, createCall())
        expect(await count()).to.equal(3)
        upstream.script = (response, { path }) =>
          void response.end(JSON.stringify(path === '/jsonrpc' ? { result: { server_serie: '19.0' } } : 4))
        clock.ms += 600_001
        expect(await count()).to.equal(4)
        expect(upstream.requests.at(-1)).to.include({ path: '/json/2/res.partner/search_count' })
      },
    )
  })

  it('believes no other program, and no Odoo 19 behind a wrong proxy', async () => {
    const ask = (rpc: Rpc) => failureOf(rpc.call(Anything, 'res.partner/search_count', {}, createCall()))
    const version19 = await withOlderOdoo(() => ({ result: 3 }), ask, { version: '19.0' })
    expect(version19).to.include({ failure: 'invalid' })
    const other = await withOlderOdoo(
      () => ({}),
      async (rpc, upstream) => {
        upstream.script = (response) => void response.writeHead(404).end('<html>')
        return ask(rpc)
      },
    )
    expect(other).to.include({ failure: 'invalid' })
  })

  it('may be tried again when the server cannot be reached for its version', async () => {
    const lost = await withOlderOdoo(
      () => ({}),
      async (rpc, upstream) => {
        upstream.script = (response, { path }) =>
          path === '/jsonrpc' ? void response.destroy() : void response.writeHead(404).end('<html>')
        return failureOf(rpc.call(Anything, 'res.partner/search_count', {}, createCall()))
      },
    )
    expect(lost).to.include({ failure: 'unavailable', retryable: true })
  })

  it('needs the database and the user', async () => {
    const failure = await withOlderOdoo(
      () => ({}),
      (rpc) => failureOf(rpc.call(Anything, 'res.partner/search_count', {}, createCall())),
      { settings: { api_key: 'secret' } },
    )
    const text = 'Odoo 18 and below need the settings database and user'
    expect(failure).to.include({ failure: 'misconfigured', message: text, summary: text })
  })

  it('tells an ended key, a refusal, a missing module and a conflict apart', async () => {
    const failureFor = (name: string, message: string) =>
      withOlderOdoo(
        () => fault(name, message),
        (rpc) => failureOf(rpc.call(Anything, 'sale.order/nothing', {}, createCall())),
      )
    expect(await failureFor('odoo.exceptions.AccessDenied', 'Access Denied')).to.include({ failure: 'unauthorized' })
    for (const name of ['UserError', 'ValidationError', 'AccessError', 'MissingError'])
      expect(await failureFor(`odoo.exceptions.${name}`, 'no')).to.include({ failure: 'rejected', retryable: false })
    const missing = { failure: 'not_configured' }
    expect(await failureFor('odoo.exceptions.UserError', "Object sale.x doesn't exist")).to.include(missing)
    const method = "The method 'sale.order.nothing' does not exist on the model 'sale.order'"
    expect(await failureFor('builtins.AttributeError', method)).to.include(missing)
    expect(await failureFor('builtins.ValueError', "Invalid field 'x' on model 'sale.order'")).to.include(missing)
    const conflict = await failureFor('psycopg2.errors.SerializationFailure', 'could not serialize access')
    expect(conflict).to.include({ failure: 'error', retryable: true })
    expect(await failureFor('builtins.KeyError', 'x')).to.include({ failure: 'error', retryable: false })
    // Odoo 16 with a broken constraint.
    expect(await failureFor('builtins.KeyError', "'lang'")).to.include({ failure: 'rejected', retryable: false })
  })

  it('names a database that does not exist', async () => {
    const reason = 'connection to server at "127.0.0.1", port 5432 failed: FATAL:  database "shop" does not exist'
    await withOlderOdoo(
      () => ({ result: 3 }),
      async (rpc, upstream) => {
        const { script } = upstream
        upstream.script = (response, received, request) =>
          received.body.includes('authenticate')
            ? void response.end(
                JSON.stringify({ jsonrpc: '2.0', id: 1, ...fault('psycopg2.OperationalError', reason) }),
              )
            : script(response, received, request)
        const failure = await failureOf(rpc.call(Anything, 'res.partner/search_count', {}, createCall()))
        expect(failure).to.include({
          failure: 'misconfigured',
          summary: 'Odoo has no database "shop" (setting database)',
        })
      },
    )
  })

  it('is unauthorized when the login is wrong, and does not remember it', async () => {
    await withOlderOdoo(
      () => ({ result: 3 }),
      async (rpc, upstream) => {
        const { script } = upstream
        upstream.script = (response, received, request) =>
          received.body.includes('authenticate')
            ? void response.end('{"jsonrpc":"2.0","id":1,"result":false}')
            : script(response, received, request)
        const ask = () => rpc.call(Anything, 'res.partner/search_count', {}, createCall())
        expect(await failureOf(ask())).to.include({ failure: 'unauthorized' })
        upstream.script = script
        expect(await ask()).to.equal(3)
      },
    )
  })

  it('returns null where the response has no result', async () => {
    expect((await exchange('sale.order/action_unlock', { ids: [1] }, undefined)).answer).to.equal(null)
  })

  it('gives records and values by position, because models name them differently', async () => {
    const { sent } = await exchange('sale.order/write', { ids: [5], vals: { origin: 'x' } }, true)
    expect(sent).to.deep.equal(['sale.order', 'write', [[5], { origin: 'x' }], { context }])
  })

  it('reads and writes order lines by their older names', async () => {
    const specification = { name: {}, order_line: { fields: { tax_ids: {}, product_uom_id: {}, name: {} } } }
    const row = { id: 1, name: 'S1', order_line: [{ id: 2, tax_id: [3], product_uom: 4, name: 'Pads' }] }
    const { answer, sent } = await exchange(
      'sale.order/web_search_read',
      { domain: [], specification },
      { length: 1, records: [row] },
    )
    expect((sent[3] as { specification: unknown }).specification).to.deep.equal({
      name: {},
      order_line: { fields: { tax_id: {}, product_uom: {}, name: {} } },
    })
    expect(answer).to.deep.equal({
      length: 1,
      records: [{ id: 1, name: 'S1', order_line: [{ id: 2, tax_ids: [3], product_uom_id: 4, name: 'Pads' }] }],
    })
    const fields = ['id', 'partner_id/.id', 'order_line/product_uom_id/.id', 'order_line/price_unit']
    const loaded = await exchange('sale.order/load', { fields, data: [] }, { ids: [1], messages: [] })
    expect((loaded.sent[3] as { fields: unknown }).fields).to.deep.equal([
      'id',
      'partner_id/.id',
      'order_line/product_uom/.id',
      'order_line/price_unit',
    ])
  })

  it('sums the posted invoices of an order itself in Odoo 17, which counts drafts', async () => {
    const args = { domain: [], specification: { state: {}, amount_invoiced: {} } }
    const line = (id: number, parent_state: string, price_total: number) => {
      return { id, parent_state, price_total, move_type: 'out_invoice' }
    }
    const order_line = [{ id: 11, invoice_lines: [line(21, 'posted', 40), line(22, 'draft', 60)] }]
    const older = { length: 1, records: [{ id: 1, state: 'sale', order_line }] }
    const { answer, sent } = await exchange('sale.order/web_search_read', args, older, '17.0')
    expect((sent[3] as typeof args).specification).to.have.all.keys('state', 'order_line')
    expect((answer as { records: unknown }).records).to.deep.equal([{ id: 1, state: 'sale', amount_invoiced: 40 }])
    const newer = { length: 1, records: [{ id: 1, state: 'sale', amount_invoiced: 40 }] }
    expect((await exchange('sale.order/web_search_read', args, newer)).answer).to.deep.equal(newer)
  })

  it('reads delivery methods of Odoo 17, which have no limits and no tags', async () => {
    const newer = { max_weight: {}, max_volume: {}, must_have_tag_ids: {}, excluded_tag_ids: {} }
    const args = { domain: [], specification: { name: {}, fixed_margin: {}, ...newer } }
    const own = { id: 1, name: 'Van', fixed_margin: 5 }
    const older = { length: 1, records: [own] }
    const { answer, sent } = await exchange('delivery.carrier/web_search_read', args, older, '17.0')
    expect((sent[3] as typeof args).specification).to.deep.equal({ name: {}, fixed_margin: {} })
    const none = { max_weight: 0, max_volume: 0, must_have_tag_ids: [], excluded_tag_ids: [] }
    expect((answer as { records: unknown }).records).to.deep.equal([{ ...own, ...none }])
    const of18 = await exchange('delivery.carrier/web_search_read', args, older)
    expect((of18.sent[3] as typeof args).specification).to.deep.equal(args.specification)
    expect((of18.answer as { records: unknown }).records).to.deep.equal([{ ...own, needs_all_tags: true }])
  })

  it('reads the factor of a unit as the number of reference units', async () => {
    const args = { domain: [], specification: { name: {}, factor: {} } }
    const records = [{ id: 2, name: 'Dozens', factor_inv: 12 }]
    const { answer, sent } = await exchange('uom.uom/web_search_read', args, { length: 1, records })
    expect((sent[3] as typeof args).specification).to.deep.equal({ name: {}, factor_inv: {} })
    expect((answer as { records: unknown }).records).to.deep.equal([{ id: 2, name: 'Dozens', factor: 12 }])
  })

  it('cancels an order without the form that asks the user', async () => {
    const { sent } = await exchange('sale.order/action_cancel', { ids: [5] }, true)
    expect(sent[3]).to.deep.equal({ context: { ...context, disable_cancel_warning: true } })
  })

  it('groups records, the largest groups first where only those with several count', async () => {
    const args = { domain: [], groupby: ['default_code'], aggregates: ['id:array_agg'], having: [['__count', '>', 1]] }
    const { answer, sent } = await exchange('product.product/formatted_read_group', args, [
      { default_code: 'DUP', aggregate0: [1, 2], __count: 2 },
      { default_code: 'ONE', aggregate0: [3], __count: 1 },
    ])
    const { orderby, fields, lazy } = sent[3] as Record<string, unknown>
    expect([sent[1], orderby, fields, lazy]).to.deep.equal([
      'read_group',
      '__count desc',
      ['aggregate0:array_agg(id)'],
      false,
    ])
    expect(answer).to.have.length(1)
    expect((answer as object[])[0]).to.include({ default_code: 'DUP' })
    expect((answer as Record<string, unknown>[])[0]!['id:array_agg']).to.deep.equal([1, 2])
  })

  /** Reads one record, and returns it and the fields that were read. */
  async function readOne(model: string, fields: string[], row: object, version: string) {
    const args = { domain: [], specification: Object.fromEntries(fields.map((field) => [field, {}])) }
    const result = { length: 1, records: [row] }
    const { answer, sent } = await exchange(`${model}/web_search_read`, args, result, version)
    const asked = Object.keys((sent[3] as typeof args).specification)
    return { asked, row: (answer as { records: unknown[] }).records[0] }
  }

  it('takes the markup of a price rule from its discount, as Odoo does', async () => {
    const rule = { id: 1, price_discount: -35 }
    expect(await readOne('product.pricelist.item', ['price_discount', 'price_markup'], rule, '18.0')).to.deep.equal({
      asked: ['price_discount'],
      row: { ...rule, price_markup: 35 },
    })
  })

  it('reads keys without an end in Odoo 17', async () => {
    const fields = ['name', 'expiration_date']
    expect(await readOne('res.users.apikeys', fields, { id: 1, name: 'x' }, '17.0')).to.deep.equal({
      asked: ['name'],
      row: { id: 1, name: 'x', expiration_date: false },
    })
    const key = { id: 1, name: 'x', expiration_date: '2027-01-01 00:00:00' }
    expect(await readOne('res.users.apikeys', fields, key, '18.0')).to.deep.equal({ asked: fields, row: key })
  })

  it('asks Odoo 17 about the groups of its own user', async () => {
    const args = { ids: [7], group_ext_id: 'sale.group_auto_done_setting' }
    const named = { group_ext_id: 'sale.group_auto_done_setting', context }
    expect((await exchange('res.users/has_group', args, true, '17.0')).sent.slice(2)).to.deep.equal([[], named])
    expect((await exchange('res.users/has_group', args, true, '18.0')).sent.slice(2)).to.deep.equal([[[7]], named])
  })

  it('maps taxes by the pairs of a fiscal position, where one without pairs changes nothing', async () => {
    const position = {
      auto_apply: false,
      vat_required: false,
      zip_from: false,
      zip_to: false,
      country_id: false,
      state_ids: [],
      country_group_id: false,
    }
    const rows: Record<string, unknown[]> = {
      'account.tax/web_search_read': [],
      'product.category/web_search_read': [],
      'account.fiscal.position/web_search_read': [
        {
          id: 1,
          ...position,
          tax_ids: [
            { id: 1, tax_src_id: 5, tax_dest_id: 6 },
            { id: 2, tax_src_id: 7, tax_dest_id: false },
          ],
        },
        { id: 2, ...position, tax_ids: [] },
      ],
    }
    await withOlderOdoo(
      (method) => ({ result: { length: 0, records: rows[method] } }),
      async (rpc, upstream) => {
        const { positions } = await createTaxTableReader(rpc, login, () => 0)(createCall())
        expect(mapTaxes([5, 7, 8], positions.get(1)!)).to.deep.equal([6, 8])
        expect(mapTaxes([5], positions.get(2)!)).to.deep.equal([5])
        const asked = paramsOf(upstream).find(({ args }) => args[3] === 'account.fiscal.position')!
        const { specification } = asked.args[6] as { specification: Record<string, unknown> }
        expect(specification).to.not.have.property('tax_replacements')
        expect(specification.tax_ids).to.deep.equal({ fields: { tax_src_id: {}, tax_dest_id: {} } })
      },
    )
  })
})

describe('odoo: doctor, the server', () => {
  const check = (settings: typeof login | { api_key: string }, version: string) =>
    withOlderOdoo(
      () => ({}),
      async (_, { address }) => {
        await using client = createHttpClient({ address, maxSockets: 1, maxResponseBytes: 100_000 })
        return await checkServer(settings, client, { systems: ['inventory'], call: createCall }, odooMerchant)
      },
      { version },
    )

  it('accepts Odoo 16 to 18 with a database and a user, and asks for them', async () => {
    for (const version of ['16.0', '17.0', '18.0'])
      expect((await check(login, version))[0]).to.include({ severity: 'note', finding: `Odoo ${version}` })
    const [missing] = await check({ api_key: 'secret' }, '18.0')
    expect(missing).to.include({ severity: 'error', check: 'login', blocks: true })
    expect(missing!.remedy).to.include('user')
  })

  it('refuses older versions', async () => {
    expect((await check(login, '15.0'))[0]).to.include({ severity: 'error', check: 'version', blocks: true })
  })
})
