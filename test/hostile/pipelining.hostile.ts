import { expect } from 'chai'
import { until } from '../support/until.ts'
import { writeWithoutReading } from './attack-client.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const CONNECTIONS = 4
const REQUESTS = 1_100
const MIB = 1_024 * 1_024

/** The most open files and memory that are seen while another client gets its responses. */
async function watch(server: ServerProcess): Promise<{ files: number; bytes: number }> {
  let files = 0
  let bytes = 0
  for (let round = 0; round < 40; round += 1) {
    expect((await fetch(`${server.address}/livez`)).status).to.equal(200)
    files = Math.max(files, await server.openFiles())
    bytes = Math.max(bytes, await server.residentBytes())
  }
  return { files, bytes }
}

describe('clients that pipeline requests and read no response', () => {
  let server: ServerProcess
  let operations: string

  before(async () => {
    server = await startServerProcess({ operations: { enabled: true, port: 0 } })
    await until('the log has its addresses', async () => {
      operations = (await server.log()).match(/"operations":"(http:[^"]+)"/)?.[1] ?? ''
      return operations !== ''
    })
  })
  after(() => server[Symbol.asyncDispose]())

  for (const [what, path, isOperations] of [
    ['a large asset of the API reference', '/docs/scalar.js', false],
    ['the OpenAPI document', '/openapi.json', false],
    ['the sign-in page', '/sign-in', true],
  ] as const)
    it(`take few files and little memory: ${what}`, async () => {
      const address = isOperations ? operations : server.address
      // The first response reads the asset and compresses it.
      await (await fetch(address + path)).arrayBuffer()
      const before = { files: await server.openFiles(), bytes: await server.residentBytes() }
      const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
      const opening = Array.from({ length: CONNECTIONS }, () => writeWithoutReading(address, request.repeat(REQUESTS)))
      const attackers = await Promise.all(opening)
      const { files, bytes } = await watch(server)
      for (const socket of attackers) socket.destroy()
      expect(files - before.files).to.be.below(50)
      expect((bytes - before.bytes) / MIB).to.be.below(100)
    })
})
