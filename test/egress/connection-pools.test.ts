import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { buildConnector } from 'undici'
import { createConnectionPools } from '../../src/egress/connection-pools.ts'

describe('connection pools', () => {
  it('close on disposal, also those of hung endpoints, without an unhandled error', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const origins = createConnectionPools(buildConnector({}))
    const thrown: unknown[] = []
    const onThrown = (error: unknown) => thrown.push(error)
    process.on('uncaughtException', onThrown).on('unhandledRejection', onThrown)
    const hung = Array.from({ length: 3 }, () =>
      origins
        .of(origin)
        .request({ path: '/', method: 'POST' })
        .then(
          () => 'answered',
          (error: { code: string }) => error.code,
        ),
    )
    await once(server, 'request')
    await origins[Symbol.asyncDispose]()
    expect(await Promise.all(hung)).to.deep.equal(Array.from({ length: 3 }, () => 'UND_ERR_DESTROYED'))
    await new Promise(setImmediate)
    process.off('uncaughtException', onThrown).off('unhandledRejection', onThrown)
    server.closeAllConnections()
    server.close()
    expect(thrown).to.deep.equal([])
  })
})
