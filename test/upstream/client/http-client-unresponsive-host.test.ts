import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { UpstreamError } from '../../../src/errors.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { untilTrue } from '../../support/until.ts'

const GET = { method: 'GET' as const, path: '/' }
const SERVER = `require('node:http').createServer((q, r) => r.end('{}'))
  .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })`

const connecting = () => process.getActiveResourcesInfo().filter((kind) => kind.endsWith('ConnectWrap')).length

/** As a host whose network drops all that is sent to it: stopped, with a line of callers that is full. */
describe('a host that does not answer', () => {
  let child: ChildProcess
  let address: string

  before(async () => {
    child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [port] = (await once(child.stdout!, 'data')) as [Buffer]
    address = `http://127.0.0.1:${String(port).trim()}`
  })
  after(() => void child.kill('SIGKILL'))

  it('holds no connection for abandoned attempts, and is used again when it answers', async () => {
    await using client = createHttpClient({ address, maxSockets: 8, maxResponseBytes: 1_000 })
    child.kill('SIGSTOP')
    const leaving = new AbortController()
    const failed = Array.from({ length: 16 }, () => failureOf(client.send(GET, createCall({ signal: leaving.signal }))))
    await untilTrue(() => connecting() > 0)
    leaving.abort(new UpstreamError('timeout', 'over'))
    expect(new Set((await Promise.all(failed)).map(({ failure }) => failure))).to.deep.equal(new Set(['timeout']))
    await untilTrue(() => connecting() === 0)
    child.kill('SIGCONT')
    expect((await client.send(GET, createCall())).status).to.equal(200)
  }).timeout(300_000)
})
