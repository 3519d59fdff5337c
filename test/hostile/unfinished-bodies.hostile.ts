import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { openConnection, writeWithoutReading } from './attack-client.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const MIB = 1_024 * 1_024
const CONNECTIONS = 1_200
/** How many of them fit in the memory for bodies, about twice. */
const MAX_OPEN = 800
const BODY_BYTES = 65_536

describe('clients that send half of a body', () => {
  let server: ServerProcess
  let key: string

  before(async () => {
    server = await startServerProcess()
    key = await server.issueKey()
  })
  after(() => server[Symbol.asyncDispose]())

  /** A request that another client's shopper makes: it needs memory for a body too. */
  const logIn = () =>
    fetch(`${server.address}/v1/shoppers/login`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@parts.example' }),
    })

  for (const [what, head, sent] of [
    ['plain', `Content-Length: ${BODY_BYTES}`, 'x'.repeat(BODY_BYTES - 1)],
    ['byte by byte', 'Transfer-Encoding: chunked', '1\r\nx\r\n'.repeat(2_000)],
  ] as const)
    it(`take a limited amount of memory, and keep nobody out: ${what}`, async () => {
      const before = await server.residentBytes()
      const request = `POST /hooks/acme/inventory HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${sent}`
      const attackers = []
      for (let batch = 0; batch < CONNECTIONS / 100; batch += 1) {
        const opening = Array.from({ length: 100 }, () => writeWithoutReading(server.address, request))
        attackers.push(...(await Promise.all(opening)))
        expect((await logIn()).status).to.equal(422)
      }
      const open = await server.openFiles()
      const grown = (await server.residentBytes()) - before
      for (const socket of attackers) socket.destroy()
      expect(open).to.be.below(MAX_OPEN)
      expect(grown / MIB).to.be.below(200)
    })

  it('get 503 and may retry, when newer bodies need the memory', async () => {
    const compressed = gzipSync('x'.repeat(1_000))
    const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Encoding: gzip\r\nContent-Length: ${compressed.length}`
    const request = `POST /v1/availability/batch HTTP/1.1\r\n${head}\r\n\r\n`
    const first = await openConnection(server.address)
    const answer = new Promise<string>((resolve) => first.once('data', (chunk) => resolve(String(chunk))))
    first.write(request)
    first.write(compressed.subarray(0, 15))
    const others = []
    for (let count = 0; count < 500; count += 1) others.push(await writeWithoutReading(server.address, request))
    expect(await answer).to.match(/^HTTP\/1\.1 503 .*retry-after: 1.*"code":"overloaded"/is)
    for (const socket of [first, ...others]) socket.destroy()
  })
})

describe('a body over the limit of its route', () => {
  it('is rejected by its Content-Length, before it is read', async () => {
    await using server = await startServerProcess()
    const headers = { authorization: `Bearer ${await server.issueKey()}`, 'content-type': 'application/json' }
    const body = `{"skus":[${'1.0,'.repeat(260_000)}1.0]}`
    const reply = await fetch(`${server.address}/v1/availability/batch`, { method: 'POST', headers, body })
    expect(reply.status).to.equal(413)
    expect(await reply.json()).to.include({
      detail:
        'The request body is larger than 304 KiB, the limit of this call. Split a long list into several calls, and omit members that the call does not have.',
    })
  })
})
