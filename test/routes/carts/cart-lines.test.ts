import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { type CartShopper, cartShopper } from './cart-shopper-client.ts'

describeWithAndWithoutMirror('the lines of a cart, over HTTP', (mirror) => {
  let api: Api
  let shopper: CartShopper
  let lateMs = 0

  before(async () => {
    api = await startApi({ mirror, now: () => Date.now() + lateMs })
    await api.fillMirror()
    shopper = await cartShopper(api)
  })
  afterEach(() => api.clearFaults())
  after(() => api[Symbol.asyncDispose]())

  const mistakes = async (method: string, path: string, body: unknown) => {
    const reply = await shopper.ask(method, path, body)
    expect(reply.status, reply.text).to.equal(422)
    return reply.body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, loc.join('.')])
  }

  it('have the requested quantity, in the requested unit', async () => {
    const path = await shopper.cart({ sku: knownSkus.finePrice, order_uom: 'bag of 100', order_quantity: 3 })
    const [line] = (await shopper.read('GET', path)).lines
    const { line_id, thumb_url, ...rest } = line!
    expect(line_id).to.match(/^line_\w{12}$/)
    expect(thumb_url).to.match(/-thumb\.webp$/)
    const unpriced = { unit_price: null, list_unit_price: null, discount: null, tax: null, line_total: null }
    expect(rest).to.deep.equal({
      sku: 'TE-1001',
      name: 'Crimp Terminal Small, Standard',
      quantity: 300,
      uom: 'each',
      order_uom: 'bag of 100',
      order_quantity: 3,
      band: 'IN_STOCK',
      ...unpriced,
    })
  })

  it('can be merged, changed and removed', async () => {
    const path = await shopper.cart({ sku: 'BP-1001', quantity: 1 }, { sku: 'BP-1002', quantity: 1 })
    const merged = await shopper.read('POST', `${path}/lines`, { sku: 'BP-1001', quantity: 4 })
    expect(merged.lines.map(({ sku, quantity }) => [sku, quantity])).to.deep.equal([
      ['BP-1001', 5],
      ['BP-1002', 1],
    ])
    const at = `${path}/lines/${merged.lines[0]!.line_id}`
    expect((await shopper.read('PATCH', at, { quantity: 2 })).lines[0]!.quantity).to.equal(2)
    expect((await shopper.read('DELETE', at)).lines.map(({ sku }) => sku)).to.deep.equal(['BP-1002'])
    expect((await shopper.ask('DELETE', at)).status).to.equal(404)
    expect((await shopper.ask('PATCH', at, { quantity: 1 })).status).to.equal(404)
  })

  it('change their unit and keep their quantity', async () => {
    const path = await shopper.cart({ sku: knownSkus.finePrice, quantity: 300 })
    const at = `${path}/lines/${(await shopper.read('GET', path)).lines[0]!.line_id}`
    const bags = (await shopper.read('PATCH', at, { order_uom: 'bag of 100' })).lines[0]
    expect(bags).to.include({ quantity: 300, order_uom: 'bag of 100', order_quantity: 3 })
    expect((await shopper.read('PATCH', at, { order_quantity: 5 })).lines[0]).to.include({ quantity: 500 })
    expect((await shopper.read('PATCH', at, { quantity: 700 })).lines[0]).to.include({ order_quantity: 7 })
  })

  for (const [what, body, expected] of [
    ['what is not sold', { sku: 'NOPE', quantity: 1 }, [['unknown_sku', 'body.sku']]],
    ['what is withdrawn', { sku: knownSkus.deactivated, quantity: 1 }, [['unknown_sku', 'body.sku']]],
    ['dots', { sku: '..', quantity: 1 }, [['unknown_sku', 'body.sku']]],
    ['nothing of it', { sku: 'BP-1001', quantity: 0 }, [['greater_than', 'body.quantity']]],
    ['less than nothing', { sku: 'BP-1001', quantity: -1 }, [['greater_than', 'body.quantity']]],
    ['a million', { sku: 'BP-1001', quantity: 1_000_000 }, [['less_than_equal', 'body.quantity']]],
    ['half a set', { sku: 'BP-1001', quantity: 0.5 }, [['unit_minimum', 'body.quantity']]],
    ['no quantity', { sku: 'BP-1001' }, [['missing', 'body.quantity']]],
    ['nothing at all', {}, [['missing', 'body.sku']]],
    ['another unit', { sku: 'BP-1001', quantity: 1, order_uom: 'bag' }, [['unknown_unit', 'body.order_uom']]],
  ] as const) {
    it(`reject ${what}`, async () => {
      expect(await mistakes('POST', `${await shopper.cart()}/lines`, body)).to.deep.equal(expected)
    })
  }

  it('reject an empty change, and a quantity of zero', async () => {
    const path = await shopper.cart({ sku: 'BP-1001', quantity: 1 })
    const at = `${path}/lines/${(await shopper.read('GET', path)).lines[0]!.line_id}`
    expect(await mistakes('PATCH', at, {})).to.deep.equal([['missing', 'body.quantity']])
    expect(await mistakes('PATCH', at, { note: 'x' })).to.deep.equal([['missing', 'body.quantity']])
    expect(await mistakes('PATCH', at, { quantity: 0 })).to.deep.equal([['greater_than', 'body.quantity']])
  })

  it('warn about scarce products, without a number', async () => {
    const { low, out, leadTime, inStock } = knownSkus
    const path = await shopper.cart(...[low, out, leadTime, inStock].map((sku) => ({ sku, quantity: 500 })))
    const { lines, warnings } = await shopper.read('GET', path)
    const skuOf = new Map(lines.map(({ line_id, sku }) => [line_id, sku]))
    expect(warnings.map(({ code, line_id }) => [skuOf.get(line_id!), code])).to.deep.equal([
      [low, 'LOW_STOCK'],
      [out, 'OUT_OF_STOCK'],
      [leadTime, 'BACKORDER'],
    ])
    const messages = warnings.map(({ message }) => message.replace(/\d{4}-\d\d-\d\d/, 'a day')).join(' ')
    expect(messages).to.not.match(/\d/)
  })

  it('warn about withdrawn products, which can be removed but not changed', async () => {
    const sku = 'BP-1033'
    const path = await shopper.cart({ sku, quantity: 1 })
    await updateProduct(api.systems.inventory.controlAddress, 'acme', sku, { active: false })
    await api.fillMirror({ skus: [sku] })
    lateMs = 600_000
    const { lines, warnings } = await shopper.read('GET', path)
    expect(warnings.map(({ code }) => code)).to.deep.equal(['DISCONTINUED'])
    const at = `${path}/lines/${lines[0]!.line_id}`
    expect(await mistakes('PATCH', at, { quantity: 2 })).to.deep.equal([['unknown_sku', 'path.line_id']])
    expect((await shopper.read('DELETE', at)).lines).to.deep.equal([])
  })

  it('are added from last-good values while inventory fails', async () => {
    const path = await shopper.cart({ sku: 'BP-1035', quantity: 1 })
    await api.fault('inventory', { status: 500 })
    lateMs += 1_200_000
    expect((await shopper.ask('POST', `${path}/lines`, { sku: 'BP-1035', quantity: 1 })).status).to.equal(200)
    // A mirror has every product, also one that was never read before.
    const expected = mirror ? [200] : [502, 503]
    expect((await shopper.ask('POST', `${path}/lines`, { sku: 'BP-1036', quantity: 1 })).status).to.be.oneOf(expected)
  })
})
