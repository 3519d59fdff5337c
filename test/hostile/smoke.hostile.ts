import { expect } from 'chai'
import { startServerProcess } from './server-process.ts'

describe('a server process under attack', () => {
  it('answers a key that the command line issued', async () => {
    await using server = await startServerProcess()
    const key = await server.issueKey()
    const reply = await fetch(`${server.address}/v1/products?limit=1`, { headers: { authorization: `Bearer ${key}` } })
    expect(reply.status).to.equal(200)
  })
})
