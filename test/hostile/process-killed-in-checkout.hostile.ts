import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { until } from '../support/until.ts'
import { startServerProcess } from './server-process.ts'
import { createSignedInShopper } from './signed-in-shopper.ts'

describe('a process that is killed in a checkout', () => {
  it('leaves its Idempotency-Key to the next one, which answers with the one order', async () => {
    await using server = await startServerProcess()
    const shopper = await createSignedInShopper(server)
    const cartId = await shopper.createCart({ sku: knownSkus.inStock, quantity: 1 })
    const checkOut = () => shopper.ask('POST', '/v1/checkout', { cart_id: cartId }, { 'idempotency-key': 'killed' })
    await server.systems.accounting.setFault({ late_ms: 600_000, only: ['placeOrder'] })
    const lost = checkOut().catch(() => null)
    const store = new DatabaseSync(join(server.directory, 'forecourt.db'), { timeout: 5_000 })
    await until('the order is stored', () => store.prepare('select 1 from orders').all().length > 0)
    await server.kill('SIGKILL')
    await lost
    await server.systems.accounting.setFault({})
    // However quickly this machine starts a server.
    const later = new Date(Date.now() + 3_600_000).toISOString()
    store.prepare("update idempotency_keys set locked_until = ? where state != 'done'").run(later)
    store.prepare('update orders set leased_until = ?').run(later)
    await server.restart()
    const { status, body } = await checkOut()
    expect([status, body.order_id]).to.deep.equal([200, store.prepare('select order_id from orders').get()!.order_id])
    expect(body.state).to.be.oneOf(['placed', 'processing'])
    const again = await checkOut()
    expect([again.text, again.headers['idempotent-replayed']]).to.deep.equal([JSON.stringify(body), 'true'])
    store.close()
  })
})
