import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { createOrderDraft } from '../../adapters/conformance/order-draft.ts'
import { sendRequest } from '../../sandbox/system-client.ts'
import { type RunningCommand, startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { freeSandboxPort } from '../../support/free-port.ts'

const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }

describe('forecourt sandbox, on a running back office', () => {
  let cwd: string
  let running: RunningCommand
  let port: string
  let token: string
  let placed = 0
  const commands = createCommandHost()

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-acts-'))
    port = String(await freeSandboxPort())
    running = startCommand(['sandbox', '--sandbox-port', port, '--merchants', 'demo,acme'], { cwd })
    token = (await running.said(/Bearer token: (\S+)/))[1]!
  })
  after(async () => {
    commands.stop()
    running.child.kill('SIGKILL')
    await running.ended
    await rm(cwd, { recursive: true, force: true })
  })

  const does = (...args: string[]) => commands.run(['sandbox', ...args, '--sandbox-port', port], { cwd })
  const says = async (...args: string[]) => {
    const { code, out, err } = await does(...args)
    expect([code, err], args.join(' ')).to.deep.equal([0, ''])
    return out.trimEnd()
  }
  const refuses = async (...args: string[]) => {
    const { code, out, err } = await does(...args)
    expect([code, out], args.join(' ')).to.deep.equal([2, ''])
    expect(err).to.not.match(/\n\s+at /)
    return err.trimEnd()
  }
  const asks = (system: number, path: string, body?: unknown) =>
    sendRequest({ address: `http://127.0.0.1:${Number(port) + system}` }, path, {
      token,
      ...(body !== undefined && { body }),
    })
  const place = async () => {
    const reference = `ord_cli${++placed}`
    const { body } = await asks(2, '/orders', createOrderDraft({ reference, customerId: 'C-1008', goods }))
    return { reference, id: body.order.order_id as string }
  }

  it('ships an order in parts, delivers it, and says which event follows', async () => {
    const { id, reference } = await place()
    expect(await says('ship', reference, '--sku', goods.sku, '--quantity', '1')).to.equal(
      `${id} (${reference}) is PARTIALLY_SHIPPED, parcel ${id}-S1 (1 x OL-1001) has left. Event: order.partially_shipped`,
    )
    expect(await refuses('deliver', id)).to.match(new RegExp(`^${id} is PARTIALLY_SHIPPED: `))
    expect(await refuses('ship', id, '--sku', goods.sku, '--quantity', '3')).to.match(/^2 of OL-1001 /)
    expect(await says('ship', 'last')).to.equal(
      `${id} (${reference}) is SHIPPED, parcel ${id}-S2 (2 x OL-1001) has left. Event: order.shipped`,
    )
    expect(await refuses('ship', id)).to.equal(`All of ${id} has left already`)
    expect(await refuses('cancel', id)).to.match(new RegExp(`^${id} is SHIPPED: `))
    expect(await says('deliver', id)).to.equal(`${id} (${reference}) is DELIVERED. Event: order.delivered`)
    for (const name of [id, 'last'])
      expect(await refuses('ship', name)).to.equal(
        `${id} is DELIVERED: only one that is PENDING, CONFIRMED or PARTIALLY_SHIPPED can be shipped`,
      )
    expect((await asks(2, `/orders/${id}?customer_id=C-1008`)).body).to.include({ status: 'DELIVERED' })
  })

  it('cancels and rejects', async () => {
    const { id, reference } = await place()
    expect(await refuses('reject', id)).to.match(new RegExp(`^${id} is CONFIRMED: `))
    expect(await says('cancel', reference)).to.equal(`${id} (${reference}) is CANCELLED. Event: order.cancelled`)
    expect(await refuses('invoice', id)).to.match(new RegExp(`^${id} is CANCELLED: nothing is owed`))
    expect(await refuses('ship', id)).to.match(new RegExp(`^${id} is CANCELLED: only one that is `))
    expect(await says('reject', 'SO-100107')).to.equal('SO-100107 is REJECTED. Event: order.rejected')
  })

  it('invoices an order, takes money for it, and voids', async () => {
    const [paid, voided] = [await place(), await place()]
    const issued = await says('invoice', paid.reference)
    const [invoice] = issued.split(' ')
    expect(issued).to.match(
      new RegExp(`^IN-\\d+ of ${paid.id} is issued: 4071.00 JMD, due [\\d-]+. Event: invoice.issued$`),
    )
    expect(await refuses('invoice', paid.id)).to.equal(`${paid.id} is invoiced already: ${invoice}`)
    expect(await says('settle', invoice!, '--amount', '1000')).to.match(
      /is PARTIALLY_PAID: 1000.00 JMD came in, 3071.00 JMD are open. No event/,
    )
    expect(await refuses('void', invoice!)).to.include('is paid')
    expect(await says('settle', invoice!)).to.equal(`${invoice} is PAID: 3071.00 JMD came in. Event: invoice.paid`)
    expect(await refuses('settle', invoice!)).to.equal(`${invoice} is PAID already`)
    await says('invoice', voided.id)
    expect(await says('void', 'last')).to.match(/^IN-\d+ is VOID. Event: invoice.voided$/)
    expect(await says('invoice', voided.id)).to.match(/^IN-\d+ of \S+ is issued: 4071.00 JMD/)
    expect(await refuses('settle', 'IN-9')).to.match(/^There is no invoice "IN-9".*sandbox invoice <order>/)
  })

  const unpricedUom = async () =>
    (await asks(0, '/products/lookup', { skus: [knownSkus.unpriced], include: ['product'] })).body.data[0].product.uom

  it('sets stock and prices, and takes goods out of the catalog and back', async () => {
    const item = async () =>
      (await asks(0, '/products/lookup', { skus: ['BP-1004'], include: ['product', 'stock'] })).body.data[0]
    const before = await item()
    expect(await says('stock', 'BP-1004', '3')).to.match(/^BP-1004 has 3 available. Event: stock.changed, if /)
    expect((await item()).stock).to.deep.equal({ available: 3, expected: before.stock.expected })
    expect(await says('stock', 'BP-1004', '-2')).to.match(/^BP-1004 has -2 available/)
    expect(await says('price', 'BP-1004', '1500.00')).to.match(/^BP-1004 costs 1500.00, .* Event: product.updated$/)
    const prices = await asks(1, '/prices', { skus: ['BP-1004'], customer_id: null })
    expect(prices.body.data[0].amount).to.equal('1500.00')
    const { unpriced } = knownSkus
    expect(await says('price', unpriced, '990')).to.match(/ costs 990, before it had no price, /)
    expect(await says('price', unpriced, '995')).to.match(/ costs 995, before 990, /)
    const first = (await asks(1, '/prices', { skus: [unpriced], customer_id: null })).body.data[0]
    expect([first.amount, first.uom]).to.deep.equal(['995', await unpricedUom()])
    expect(await says('withdraw', 'BP-1004')).to.match(/^BP-1004 is withdrawn .* Event: product.deactivated$/)
    expect((await item()).product.active).to.equal(false)
    expect(await refuses('withdraw', 'BP-1004')).to.match(/already.*sandbox restore BP-1004 --sandbox-port \d+$/)
    expect(await says('restore', 'BP-1004')).to.match(/Event: product.updated$/)
    expect((await item()).product.active).to.equal(true)
  })

  it('lists the newest orders, of each merchant its own', async () => {
    const { id, reference } = await place()
    const [heads, newest, ...others] = (await says('orders')).split('\n')
    expect(heads!.split(/\s+/)).to.deep.equal(['ORDER', 'REFERENCE', 'CUSTOMER', 'STATUS', 'TOTAL'])
    expect(newest!.split(/\s+/)).to.deep.equal([id, reference, 'C-1008', 'CONFIRMED', '4071.00', 'JMD'])
    expect(others).to.have.lengthOf(19)
    const listed = JSON.parse(await says('orders', '--json'))
    expect(listed[0]).to.deep.equal({
      ...{ order_id: id, reference, customer_id: 'C-1008', status: 'CONFIRMED' },
      total: { amount: '4071.00', currency: 'JMD' },
    })
    expect(await says('orders', '--merchant', 'acme')).to.not.include(reference)
  })

  it('says what to do when it cannot', async () => {
    expect(await refuses('ship', 'ord_none', '--merchant', 'acme')).to.equal(
      `There is no order "ord_none" in the sandbox of acme. See: npx forecourt sandbox orders --merchant acme --sandbox-port ${port}`,
    )
    expect(await refuses('orders', '--merchant', 'nobody')).to.match(/keeps nothing for merchant "nobody"/)
    for (const [args, sentence] of [
      [['ship', 'last', '--quantity', '2'], /--sku/],
      [['ship', 'last', '--sku', 'OL-1001', '--quantity', '0'], /--quantity takes/],
      [['settle', 'last', '--amount', 'all'], /--amount takes/],
      [['stock', 'BP-1001', 'many'], /"many"/],
      [['price', 'BP-1001', '1,50'], /"1,50"/],
      [['stock', 'no/such', '3'], /no product of SKU "no\/such".* sandbox --sandbox-port \d+ outcomes$/],
      [['price', 'no/such', '3'], /no product of SKU "no\/such"/],
      [['withdraw', 'no/such'], /no product of SKU/],
    ] as const)
      expect(await refuses(...args)).to.match(sentence)
    const away = await commands.run(['sandbox', 'ship', 'last', '--sandbox-port', '1'], { cwd })
    expect(away.code).to.equal(2)
    expect(away.err).to.match(/^The embedded accounting does not answer .* npx forecourt demo --sandbox-port 1 /)
    const silent = await commands.run(['sandbox', 'fault', 'pricing', '--hang', '--sandbox-port', '1'], { cwd })
    expect(silent.code).to.equal(2)
    expect(silent.err).to.match(/^The embedded pricing does not answer .* npx forecourt demo --sandbox-port 1 /)
  })

  it('helps with each', async () => {
    const names = ['orders', 'ship', 'deliver', 'cancel', 'reject', 'invoice', 'settle', 'void']
    for (const command of [...names, 'stock', 'price', 'withdraw', 'restore']) {
      const { code, out } = await commands.run(['sandbox', command, '--help'], { cwd })
      expect([code, out.startsWith(`Usage: forecourt sandbox ${command} `)]).to.deep.equal([0, true])
      expect(out).to.include('--merchant')
      if (command === 'stock') expect(out.replace(/\s+/g, ' ')).to.include('below 0 too')
    }
  })
})
