import { expect } from 'chai'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { BOTH_ITEM_PARTS } from '../adapters/conformance/both-item-parts.ts'
import type { Ports } from '../adapters/conformance/subject.ts'
import { createCall } from '../support/create-call.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { planRemoval } from './support/take-from-tryton-stock.ts'
import { trytonAccess } from './support/tryton-environment.ts'

/** Runs against the server of test/support/tryton/tryton.sh: `npm run test:live`. It reverts its changes. */
const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))

describe('tryton: a server that is written to', function () {
  this.timeout(600_000)
  let ports: Required<Ports> & { close(): Promise<void> }
  let desk: { rpc: Rpc; close(): Promise<void> }

  before(() => {
    const server = trytonAccess()
    ports = connectTrytonPorts(server.storefront)
    desk = connectClerk(server.clerk)
  })

  after(() => Promise.all([ports?.close(), desk?.close()]))

  const ask = (method: string, ...params: unknown[]) => desk.rpc(Anything, method, params, createCall())
  const productId = async (sku: string) =>
    (await desk.rpc(Ids, 'product.product.search', [[['code', '=', sku]], 0, 1, null], createCall()))[0]!
  const stockOf = async (sku: string) => (await ports.inventory.items([sku], BOTH_ITEM_PARTS, createCall()))[0]!.stock!
  const changedSince = async (since: string) => {
    const page = await ports.inventory.search(
      { limit: 50, offset: 0, updated_since: since },
      BOTH_ITEM_PARTS,
      createCall(),
    )
    return page.items.map(({ sku }) => sku)
  }
  const latest = async (sku: string) =>
    (await ports.inventory.items([sku], BOTH_ITEM_PARTS, createCall()))[0]!.product!.updated_at
  const justAfter = (time: string) => new Date(Date.parse(time) + 1).toISOString()

  for (const [what, model] of [
    ['a product', 'product.product'],
    ['its template', 'product.template'],
  ] as const) {
    it(`shows a write to ${what} among the changes`, async () => {
      const since = justAfter(await latest('DSC-005'))
      expect(await changedSince(since)).to.not.include('DSC-005')
      const id = await productId('DSC-005')
      const [row] = (await ask('product.product.read', [id], ['template'])) as { template: number }[]
      await ask(`${model}.write`, [model === 'product.product' ? id : row!.template], { active: true })
      // Read from another time, because a list may be some seconds old.
      expect(await changedSince(justAfter(since))).to.include('DSC-005')
    })
  }

  it('shows a product that is no longer for sale as inactive', async () => {
    const since = justAfter(await latest('DSC-006'))
    const id = await productId('DSC-006')
    await ask('product.product.write', [id], { active: false })
    const { items } = await ports.inventory.search(
      { limit: 50, offset: 0, updated_since: since },
      BOTH_ITEM_PARTS,
      createCall(),
    )
    await ask('product.product.write', [id], { active: true })
    expect(items.find(({ sku }) => sku === 'DSC-006')?.product?.active).to.equal(false)
  })

  it('subtracts shipped and assigned goods from the stock', async () => {
    const before = (await stockOf('DSC-001')).available
    const shipment = await planRemoval(desk.rpc, 'DSC-001', 2)
    expect((await stockOf('DSC-001')).available).to.equal(before)
    await ask('stock.shipment.internal.assign_force', shipment)
    expect((await stockOf('DSC-001')).available).to.equal(before - 2)
    await ask('stock.shipment.internal.cancel', shipment)
    expect((await stockOf('DSC-001')).available).to.equal(before)
  })

  it('refuses the storefront account every write', async () => {
    const { storefront } = trytonAccess()
    const reader = connectClerk(storefront)
    for (const model of [
      'product.product',
      'product.template',
      'product.price_list',
      'account.invoice',
      'account.move',
      'stock.move',
      'stock.shipment.out',
      'account.tax',
      'res.user',
    ]) {
      const outcome = reader.rpc(Anything, `${model}.write`, [[1], { name: 'x' }], createCall())
      expect(await outcome.catch((error) => error.failure), model).to.equal('rejected')
    }
    await reader.close()
  })
})
