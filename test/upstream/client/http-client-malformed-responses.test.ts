import { createServer, type Server, type Socket } from 'node:net'
import { expect } from 'chai'
import Type from 'typebox'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

const Anything = responseSchema(Type.Object({ ok: Type.Boolean() }))
const GET = { method: 'GET' as const, path: '/x' }
const limits = { maxSockets: 8, maxResponseBytes: 100_000 }

describe('the HTTP client, facing a server that does not speak HTTP', () => {
  let server: Server
  let says = ''
  const sockets = new Set<Socket>()

  before((done) => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => socket.end(says))
    }).listen(0, '127.0.0.1', done)
  })
  after((done) => {
    for (const socket of sockets) socket.destroy()
    server.close(done)
  })

  for (const [what, text, expected] of [
    ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'invalid'],
    ['a header bomb', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n{}`, 'invalid'],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n{}', 'invalid'],
    ['chunks that are none', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}', 'invalid'],
    ['an answer that is shorter than it says', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{}', 'unavailable'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'unavailable',
    ],
    ['nothing', '', 'unavailable'],
  ] as const) {
    it(`fails cleanly on ${what}`, async () => {
      says = text
      const { port } = server.address() as { port: number }
      await using client = createHttpClient({ address: `http://127.0.0.1:${port}`, ...limits })
      expect((await failureOf(client.json(Anything, GET, createCall()))).failure).to.equal(expected)
    })
  }
})
