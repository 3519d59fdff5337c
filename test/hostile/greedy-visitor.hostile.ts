import { Agent, request } from 'node:http'
import { expect } from 'chai'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** The default limit of a publishable key. */
const KEY_LIMIT = 600

/** Reads as a visitor at an address of this machine, and returns the status. */
function readFrom(localAddress: string, agent: Agent, server: ServerProcess, key: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const url = `${server.address}/v1/tags`
    request(url, { agent, localAddress, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode!))
    })
      .on('error', reject)
      .end()
  })
}

describe('a visitor who reads all that a key allows', () => {
  it('leaves the shop’s minute to the others', async () => {
    await using server = await startServerProcess()
    const key = await server.issueKey('--kind', 'publishable', '--mode', 'sandbox')
    const agent = new Agent({ keepAlive: true, maxSockets: 8 })
    const statuses = await Promise.all(
      Array.from({ length: KEY_LIMIT }, () => readFrom('127.0.0.66', agent, server, key)),
    )
    expect(statuses.filter((status) => status === 200)).to.have.length(KEY_LIMIT / 10)
    expect(statuses.filter((status) => status === 429)).to.have.length(KEY_LIMIT - KEY_LIMIT / 10)
    for (const visitor of ['127.0.0.2', '127.0.0.3'])
      expect(await readFrom(visitor, agent, server, key), visitor).to.equal(200)
    agent.destroy()
  })
})
