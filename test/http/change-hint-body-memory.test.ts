import { connect, type Socket } from 'node:net'
import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { until } from '../support/until.ts'

const HINT_BYTES = 65_536
/** As many hints as their memory, 4 MiB, holds at most. All other bodies share 32 MiB. */
const MAX_OPEN = (4 * 1_024 * 1_024) / HINT_BYTES

describe('bodies that are read before their signature proves who sent them', () => {
  let api: Api
  const sockets: Socket[] = []
  const replies: string[] = []

  before(async () => {
    api = await startApi()
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    await api[Symbol.asyncDispose]()
  })

  function sendPart(index: number, path: string, bytes: number, headers = ''): void {
    const { hostname, port } = new URL(api.address)
    const socket = connect(Number(port), hostname).on('error', () => {})
    replies[index] = ''
    socket.on('data', (chunk) => {
      replies[index] = `${replies[index]}${chunk}`
    })
    socket.write(`POST ${path} HTTP/1.1\r\nHost: here\r\n${headers}Content-Length: ${bytes}\r\n\r\n{`)
    sockets.push(socket)
  }

  it('share a memory of their own, and take none from bodies of known senders', async () => {
    const headers = `Authorization: Bearer ${await api.key()}\r\n`
    sendPart(0, '/v1/availability/batch', 100_000, headers)
    for (let index = 1; index <= 2 * MAX_OPEN; index += 1) sendPart(index, '/hooks/acme/inventory', HINT_BYTES)
    const refused = () => replies.filter((text) => /^HTTP\/1\.1 503 .*"code":"overloaded"/s.test(text))
    await until('half of the hints are refused', () => refused().length >= MAX_OPEN)
    expect(replies[0]).to.equal('')
  })
})
