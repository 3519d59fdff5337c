import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { createOrderDraft } from '../../adapters/conformance/order-draft.ts'
import { sendRequest } from '../../sandbox/send-request.ts'
import { type RunningCommand, startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { freeSandboxPort } from '../../support/free-port.ts'

const orderLine = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }

/** Absolute, because the commands run in another folder. */
const launcher = resolve(import.meta.dirname, '../../../src/bin/forecourt.js')

describe('forecourt sandbox, on a running back office', () => {
  let cwd: string
  let running: RunningCommand
  let port: string
  let token: string
  let orderCount = 0
  const host = createCommandHost()

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-acts-'))
    port = String(await freeSandboxPort())
    running = startCommand(['sandbox', '--sandbox-port', port, '--merchants', 'demo,acme'], { cwd })
    token = (await running.waitForOutput(/Bearer token: (\S+)/))[1]!
  })
  after(async () => {
    host.stop()
    running.child.kill('SIGKILL')
    await running.ended
    await rm(cwd, { recursive: true, force: true })
  })

  const run = (...args: string[]) => host.run(['sandbox', ...args, '--sandbox-port', port], { cwd })
  const succeed = async (...args: string[]) => {
    const { code, out, err } = await run(...args)
    expect([code, err], args.join(' ')).to.deep.equal([0, ''])
    return out.trimEnd()
  }
  const failWith = async (...args: string[]) => {
    const { code, out, err } = await run(...args)
    expect([code, out], args.join(' ')).to.deep.equal([2, ''])
    expect(err).to.not.match(/\n\s+at /)
    return err.trimEnd()
  }
  const callSystem = (system: number, path: string, body?: unknown) =>
    sendRequest({ address: `http://127.0.0.1:${Number(port) + system}` }, path, {
      token,
      ...(body !== undefined && { body }),
    })
  const placeOrder = async () => {
    const reference = `ord_cli${++orderCount}`
    const { body } = await callSystem(
      2,
      '/orders',
      createOrderDraft({ reference, customerId: 'C-1008', goods: orderLine }),
    )
    return { reference, id: body.order.order_id as string, number: body.order.order_number as string }
  }

  it('names orders and invoices as storefronts see them', async () => {
    const { reference, number } = await placeOrder()
    expect(await succeed('ship', reference)).to.match(new RegExp(`^${number} `))
    const [invoiceId] = /IN-\d+/.exec(await succeed('invoice', number))!
    const { body } = await callSystem(2, `/invoices/${invoiceId}?customer_id=C-1008`)
    expect(body).to.include({ order_number: number, invoice_number: invoiceId })
  })

  it('ships an order in parts, delivers it, and names the events that follow', async () => {
    const { id, reference } = await placeOrder()
    expect(await succeed('ship', reference, '--sku', orderLine.sku, '--quantity', '1')).to.equal(
      `${id} (${reference}) is PARTIALLY_SHIPPED: shipment ${id}-S1 (1 x OL-1001). Event: order.partially_shipped`,
    )
    expect(await failWith('deliver', id)).to.match(new RegExp(`^${id} is PARTIALLY_SHIPPED: `))
    expect(await failWith('ship', id, '--sku', orderLine.sku, '--quantity', '3')).to.match(/^Only 2 of OL-1001 /)
    expect(await succeed('ship', 'last')).to.equal(
      `${id} (${reference}) is SHIPPED: shipment ${id}-S2 (2 x OL-1001). Event: order.shipped`,
    )
    expect(await failWith('ship', id)).to.equal(`${id} is already shipped completely`)
    expect(await failWith('cancel', id)).to.match(new RegExp(`^${id} is SHIPPED: `))
    expect(await succeed('deliver', id)).to.equal(`${id} (${reference}) is DELIVERED. Event: order.delivered`)
    for (const name of [id, 'last'])
      expect(await failWith('ship', name)).to.equal(
        `${id} is DELIVERED: only a PENDING, CONFIRMED or PARTIALLY_SHIPPED order can be shipped`,
      )
    expect((await callSystem(2, `/orders/${id}?customer_id=C-1008`)).body).to.include({ status: 'DELIVERED' })
  })

  it('cancels and rejects', async () => {
    const { id, reference } = await placeOrder()
    expect(await failWith('reject', id)).to.match(new RegExp(`^${id} is CONFIRMED: `))
    expect(await succeed('cancel', reference)).to.equal(`${id} (${reference}) is CANCELLED. Event: order.cancelled`)
    expect(await failWith('invoice', id)).to.match(
      new RegExp(`^${id} is CANCELLED: a cancelled or rejected order cannot be invoiced`),
    )
    expect(await failWith('ship', id)).to.match(new RegExp(`^${id} is CANCELLED: only a PENDING`))
    expect(await succeed('reject', 'SO-100107')).to.equal('SO-100107 is REJECTED. Event: order.rejected')
  })

  it('issues, settles and voids invoices', async () => {
    const [paid, voided] = [await placeOrder(), await placeOrder()]
    const issued = await succeed('invoice', paid.reference)
    const invoice = /IN-\d+/.exec(issued)![0]
    expect(issued).to.match(
      new RegExp(`^Issued IN-\\d+ for ${paid.id}: 4071.00 JMD, due [\\d-]+. Event: invoice.issued$`),
    )
    expect(await failWith('invoice', paid.id)).to.equal(`${paid.id} is already invoiced: ${invoice}`)
    expect(await succeed('settle', invoice, '--amount', '1000')).to.match(
      /is PARTIALLY_PAID: received 1000.00 JMD, 3071.00 JMD open. No event/,
    )
    expect(await failWith('void', invoice)).to.include('has a payment')
    expect(await succeed('settle', invoice)).to.equal(`${invoice} is PAID: received 3071.00 JMD. Event: invoice.paid`)
    expect(await failWith('settle', invoice)).to.equal(`${invoice} is already PAID`)
    await succeed('invoice', voided.id)
    expect(await succeed('void', 'last')).to.match(/^IN-\d+ is VOID. Event: invoice.voided$/)
    expect(await succeed('invoice', voided.id)).to.match(/^Issued IN-\d+ for \S+: 4071.00 JMD/)
    expect(await failWith('settle', 'IN-9')).to.match(/^There is no invoice "IN-9".*sandbox invoice <order>/)
  })

  const unpricedUom = async () =>
    (await callSystem(0, '/products/lookup', { skus: [knownSkus.unpriced], include: ['product'] })).body.data[0].product
      .uom

  it('sets stock and prices, and takes goods out of the catalog and back', async () => {
    const item = async () =>
      (await callSystem(0, '/products/lookup', { skus: ['BP-1004'], include: ['product', 'stock'] })).body.data[0]
    const before = await item()
    expect(await succeed('stock', 'BP-1004', '3')).to.match(/^BP-1004 has 3 available. Event: stock.changed, if /)
    expect((await item()).stock).to.deep.equal({ available: 3, expected: before.stock.expected })
    expect(await succeed('stock', 'BP-1004', '-2')).to.match(/^BP-1004 has -2 available/)
    expect(await succeed('price', 'BP-1004', '1500.00')).to.match(
      /^BP-1004 has the list price 1500.00 .* Event: product.updated$/,
    )
    const prices = await callSystem(1, '/prices', { skus: ['BP-1004'], customer_id: null })
    expect(prices.body.data[0].amount).to.equal('1500.00')
    const { unpriced } = knownSkus
    expect(await succeed('price', unpriced, '990')).to.match(/ has the list price 990 .*\(it had no price before\)/)
    expect(await succeed('price', unpriced, '995')).to.match(/ has the list price 995 .*\(before: 990\)/)
    const first = (await callSystem(1, '/prices', { skus: [unpriced], customer_id: null })).body.data[0]
    expect([first.amount, first.uom]).to.deep.equal(['995', await unpricedUom()])
    expect(await succeed('withdraw', 'BP-1004')).to.match(/^BP-1004 is withdrawn .* Event: product.deactivated$/)
    expect((await item()).product.active).to.equal(false)
    expect(await failWith('withdraw', 'BP-1004')).to.match(/already.*sandbox restore BP-1004 --sandbox-port \d+$/)
    expect(await succeed('restore', 'BP-1004')).to.match(/Event: product.updated$/)
    expect((await item()).product.active).to.equal(true)
  })

  it('lists the newest orders of each merchant', async () => {
    const { id, reference } = await placeOrder()
    const [headings, newest, ...others] = (await succeed('orders')).split('\n')
    expect(headings!.split(/\s+/)).to.deep.equal(['ORDER', 'REFERENCE', 'CUSTOMER', 'STATUS', 'TOTAL'])
    expect(newest!.split(/\s+/)).to.deep.equal([id, reference, 'C-1008', 'CONFIRMED', '4071.00', 'JMD'])
    expect(others).to.have.lengthOf(19)
    const listed = JSON.parse(await succeed('orders', '--json'))
    expect(listed[0]).to.deep.equal({
      order_id: id,
      reference,
      customer_id: 'C-1008',
      status: 'CONFIRMED',
      total: { amount: '4071.00', currency: 'JMD' },
    })
    expect(await succeed('orders', '--merchant', 'acme')).to.not.include(reference)
  })

  it('explains what to do when a change is not possible', async () => {
    expect(await failWith('ship', 'ord_none', '--merchant', 'acme')).to.equal(
      `There is no order "ord_none" in the sandbox of acme. See: node ${launcher} sandbox orders --merchant acme --sandbox-port ${port}`,
    )
    expect(await failWith('orders', '--merchant', 'nobody')).to.match(/has no merchant "nobody"/)
    for (const [args, sentence] of [
      [['ship', 'last', '--quantity', '2'], /--sku/],
      [['ship', 'last', '--sku', 'OL-1001', '--quantity', '0'], /--quantity takes/],
      [['settle', 'last', '--amount', 'all'], /--amount takes/],
      [['stock', 'BP-1001', 'many'], /"many"/],
      [['price', 'BP-1001', '1,50'], /"1,50"/],
      [['stock', 'no/such', '3'], /no product with SKU "no\/such".* sandbox --sandbox-port \d+ outcomes$/],
      [['price', 'no/such', '3'], /no product with SKU "no\/such"/],
      [['withdraw', 'no/such'], /no product with SKU/],
    ] as const)
      expect(await failWith(...args)).to.match(sentence)
    const unreachable = await host.run(['sandbox', 'ship', 'last', '--sandbox-port', '1'], { cwd })
    expect(unreachable.code).to.equal(2)
    expect(unreachable.err).to.match(
      /^The embedded accounting system does not respond .*forecourt\.js demo --sandbox-port 1 /,
    )
    const fault = await host.run(['sandbox', 'fault', 'pricing', '--hang', '--sandbox-port', '1'], { cwd })
    expect(fault.code).to.equal(2)
    expect(fault.err).to.match(/^The embedded pricing system does not respond .*forecourt\.js demo --sandbox-port 1 /)
  })

  it('prints help for each command', async () => {
    const names = ['orders', 'ship', 'deliver', 'cancel', 'reject', 'invoice', 'settle', 'void']
    for (const command of [...names, 'stock', 'price', 'withdraw', 'restore']) {
      const { code, out } = await host.run(['sandbox', command, '--help'], { cwd })
      expect([code, out.startsWith(`Usage: forecourt sandbox ${command} `)]).to.deep.equal([0, true])
      expect(out).to.include('--merchant')
      if (command === 'stock') expect(out.replace(/\s+/g, ' ')).to.include('may be negative')
    }
  })
})
