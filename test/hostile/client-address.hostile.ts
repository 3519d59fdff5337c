import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** The hourly allowance of one client address. */
const ALLOWANCE = 60
const ROUNDS = 20
const ROUND = 100

/** Asks for a letter and resets the connection at once: the server reads the request from a socket that is already gone. */
async function askAndReset(server: ServerProcess, key: string, email: string): Promise<void> {
  const { hostname, port } = new URL(server.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const body = JSON.stringify({ email })
  const head = [
    'POST /v1/shoppers/password-reset HTTP/1.1',
    'Host: api',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy())
  await once(socket, 'close')
}

/** Counts the requests for a letter that were carried out, and those that were refused. */
async function countLetters(server: ServerProcess) {
  const lines = (await server.log()).split('\n').filter((line) => line.includes('"route":"askForPasswordReset"'))
  const count = (text: string) => lines.filter((line) => line.includes(text)).length
  return { sent: count('"cache":"bypass"'), refused: count('"code":"rate_limited"') }
}

describe('clients that hide their address', () => {
  it('get no more letters by resetting their connections', async () => {
    await using server = await startServerProcess({
      config: { mail: { url: 'log:', from: 'Shop <shop@acme.example>' } },
    })
    const key = await server.issueKey('--kind', 'publishable', '--mode', 'sandbox', '--rate', '1000000')
    let letters = await countLetters(server)
    // Clients that were gone before the server accepted them share one allowance of their own.
    for (let round = 0; round < ROUNDS && letters.sent <= 2 * ALLOWANCE && letters.refused < ROUND; round++) {
      for (let n = 0; n < ROUND; n++) await askAndReset(server, key, `victim-${round}-${n}@example.com`)
      letters = await countLetters(server)
    }
    expect(letters.refused).to.be.at.least(ROUND)
    expect(letters.sent).to.be.within(1, 2 * ALLOWANCE)
  })
})
