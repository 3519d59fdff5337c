import { expect } from 'chai'
import { until } from '../support/until.ts'
import { startServerProcess } from './server-process.ts'

/** Loaded before the program: its clock is 90 seconds ahead of the server's. */
const CLOCK_AHEAD = `data:text/javascript,${encodeURIComponent(`
  const RealDate = Date
  globalThis.Date = class extends RealDate {
    constructor(...args) { args.length === 0 ? super(RealDate.now() + 90_000) : super(...args) }
    static now() { return RealDate.now() + 90_000 }
  }`)}`

describe('an API key that a command with a fast clock revoked', () => {
  it('is refused by a server that has never seen it, and by one that served it from its caches', async () => {
    await using server = await startServerProcess()
    const [cached, unseen] = [await server.issueKey(), await server.issueKey()]
    const read = async (key: string) => {
      const reply = await fetch(`${server.address}/v1/products?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      })
      await reply.arrayBuffer()
      return reply.status
    }
    expect(await read(cached)).to.equal(200)
    expect(await read(cached)).to.equal(200)
    for (const key of [cached, unseen]) {
      const env = { NODE_OPTIONS: `--import=${CLOCK_AHEAD}` }
      const { code, stdout, stderr } = await server.cliWith(env, 'keys', 'revoke', key, '--config', server.configFile)
      expect([code, stderr]).to.deep.equal([0, ''])
      expect(stdout).to.include('is revoked')
    }
    expect(await read(unseen)).to.equal(401)
    await until('the key is no longer cached', async () => (await read(cached)) === 401)
  })
})
