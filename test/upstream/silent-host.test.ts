import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'
import { createClient } from '../../src/upstream/client.ts'
import { callOf, failureOf, until } from '../support/upstream.ts'

const GET = { method: 'GET' as const, path: '/' }
const SERVER = `require('node:http').createServer((q, r) => r.end('{}')).listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`

/** A host whose network drops what is sent to it: stopped, with a line of callers that is full. */
describe('a host that is silent, and then is not', () => {
  let child: ChildProcess
  let address: string

  before(async () => {
    child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = (await once(child.stdout!, 'data')) as [Buffer]
    address = `http://127.0.0.1:${String(port).trim()}`
  })
  after(() => void child.kill('SIGKILL'))

  it('is used again within seconds, whatever was tried in vain meanwhile', async () => {
    await using client = createClient({ address, maxSockets: 4, maxResponseBytes: 1_000 })
    child.kill('SIGSTOP')
    for (let i = 0; i < 16; i++) {
      const leaving = new AbortController()
      setTimeout(() => leaving.abort(new UpstreamError('timeout', 'over')), 300)
      const failed = failureOf(client.send(GET, callOf({ signal: leaving.signal })))
      if (i % 8 === 7) expect((await failed).failure).to.equal('timeout')
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    child.kill('SIGCONT')
    const backAt = performance.now()
    await until(async () => {
      const leaving = new AbortController()
      const timer = setTimeout(() => leaving.abort(new UpstreamError('timeout', 'over')), 700)
      const reply = await client.send(GET, callOf({ signal: leaving.signal })).catch(() => null)
      clearTimeout(timer)
      return reply?.status === 200
    })
    expect(performance.now() - backAt).to.be.below(5_000)
  }).timeout(30_000)
})
