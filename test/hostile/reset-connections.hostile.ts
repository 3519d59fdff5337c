import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** The hourly allowance of one client address. */
const ALLOWANCE = 60
const ROUNDS = 100
const ROUND = 100

/** Asks for a letter and resets the connection at once: the server reads the request from a socket that is already gone. */
async function askAndReset(server: ServerProcess, key: string, email: string): Promise<void> {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const body = JSON.stringify({ email, password: 'chosen by a stranger', first_name: 'Ann', last_name: 'Other' })
  const head = [
    'POST /v1/shoppers HTTP/1.1',
    'Host: api',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy())
  await once(socket, 'close')
}

/** Counts the requests that were logged, and the letters. */
async function count(server: ServerProcess) {
  const lines = (await server.log()).split('\n')
  const matching = (text: string) => lines.filter((line) => line.includes(text)).length
  return { requests: matching('"route":"registerShopper"'), letters: matching('"msg":"mail"') }
}

describe('clients that hide their address', () => {
  it('get no more letters by resetting their connections', async () => {
    await using server = await startServerProcess({
      config: { mail: { url: 'log:', from: 'Shop <shop@acme.example>' } },
      merchant: { registration: 'verified' },
    })
    const key = await server.issueKey('--kind', 'publishable', '--mode', 'sandbox', '--rate', '1000000')
    let counts = await count(server)
    // Clients that were gone before the server accepted them share one allowance of their own.
    for (let round = 0; round < ROUNDS && counts.requests < 4 * ALLOWANCE; round++) {
      for (let n = 0; n < ROUND; n++) await askAndReset(server, key, `victim-${round}-${n}@example.com`)
      counts = await count(server)
    }
    expect(counts.requests).to.be.at.least(4 * ALLOWANCE)
    expect(counts.letters).to.be.within(1, 2 * ALLOWANCE)
  })
})
