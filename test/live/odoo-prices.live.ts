import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { Type } from 'typebox'
import { createContext } from '../../adapters/odoo/context.ts'
import { systems } from '../../src/ports/system.ts'
import { createHttpClient } from '../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { createCall } from '../support/create-call.ts'
import { odooMerchant, settingsOf } from '../support/odoo/connect-odoo.ts'
import { odooAccess } from './support/odoo-environment.ts'

const Price = responseSchema(Type.Number())
const CUSTOMERS = ['Orders@hwtgarage.example', 'buyer@other.example', 'ned@nested.example']
const QUANTITIES = [1, 9, 10, 24, 50]
const CASES = Math.max(1, Math.trunc(Number(process.env.CASES)) || 300)

/** Holds the price-list arithmetic of the adapter against Odoo's own: `CASES=10000 npm run test:live:odoo`. */
describe('odoo: price lists of a real server', function () {
  this.timeout(3_600_000)

  it('have the prices that the adapter computes', async () => {
    const login = odooAccess().storefront
    await using client = createHttpClient({ address: login.address, maxSockets: 4, maxResponseBytes: 8_000_000 })
    const context = createContext(settingsOf(login), client, odooMerchant, systems)
    const { rpc } = context
    const SKUS = responseSchema(Type.Array(Type.Object({ id: Type.Integer(), default_code: Type.String() })))
    const args = { domain: context.onSaleDomain, fields: ['default_code'], order: 'id' }
    const products = await rpc.call(SKUS, 'product.product/search_read', args, createCall())
    const Ids = responseSchema(Type.Array(Type.Integer()))
    const mismatches: string[] = []
    let examined = 0
    for (const email of CUSTOMERS) {
      const domain = [['email', '=', email]]
      const [customer] = await rpc.call(Ids, 'res.partner/search', { domain, limit: 1 }, createCall())
      const skus = products.map(({ default_code }) => default_code)
      const { products: priced, priceListId } = await context.readPricing(skus, String(customer), createCall())
      const cases = priced.flatMap((product) => QUANTITIES.map((quantity) => ({ product, quantity })))
      const step = Math.max(1, Math.floor((cases.length * CUSTOMERS.length) / CASES))
      for (const { product, quantity } of cases.filter((_, i) => i % step === 0)) {
        const inOdoo = { ids: [product.productId], context: { pricelist: priceListId, quantity } }
        const own = await rpc.call(Price, 'product.product/get_contextual_price', inOdoo, createCall())
        // Odoo rounds with a tolerance too: 266.98499999999996 is 266.99. A price below 0 counts as none, as 0 does.
        const exact = Decimal.max(0, own).toDecimalPlaces(6)
        const rounded = exact.toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(2)
        const amount = product.priceAt(quantity)?.amount ?? '0.00'
        examined += 1
        if (amount !== rounded) mismatches.push(`${email} ${product.sku} × ${quantity}: ${amount}, in Odoo ${own}`)
      }
    }
    expect(mismatches).to.deep.equal([])
    process.stdout.write(`${examined} prices compared\n`)
  })
})
