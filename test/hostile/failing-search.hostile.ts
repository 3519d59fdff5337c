import { expect } from 'chai'
import { startServerProcess } from './server-process.ts'

/** Far more than the circuit needs to open, however busy the machine is. */
const MAX_SEARCHES = 2_000

describe('searches that fail', () => {
  it('open their own circuit, and others read products and stock', async () => {
    // A mirror would search itself.
    await using server = await startServerProcess({ merchant: { mirror: 'off' } })
    const key = await server.issueKey('--kind', 'secret', '--mode', 'sandbox', '--rate', '100000')
    const headers = { authorization: `Bearer ${key}` }
    const read = async (path: string) => {
      const reply = await fetch(server.address + path, { headers })
      return { status: reply.status, body: (await reply.json()) as { code?: string; errors?: object[] } }
    }
    await server.systems.inventory.setFault({ status: 500, only: ['searchProducts'] })
    let searches = 0
    const search = () => read(`/v1/products?q=brake${searches++}`)
    while ((await search()).body.code !== 'circuit_open') expect(searches).to.be.lessThan(MAX_SEARCHES)
    for (let number = 1; number <= 7; number += 1) {
      const product = await read(`/v1/products/BP-100${number}`)
      expect([product.status, product.body.errors], `BP-100${number}`).to.deep.equal([200, []])
      const stock = await read(`/v1/products/BP-101${number}/availability`)
      expect([stock.status, stock.body.code], `BP-101${number}`).to.deep.equal([200, undefined])
    }
  })
})
