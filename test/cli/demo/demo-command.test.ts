import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { shoppers } from '../../../fixtures/shoppers.ts'
import { type RunningCommand, runCommand, startCommand } from '../../support/command.ts'
import { freeSandboxPort } from '../../support/free-port.ts'
import { type Reply, sendHttpRequest, sendRawBytes } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'

describe('forecourt demo', function () {
  // Several processes for one test.
  this.timeout(300_000)
  let cwd: string
  let running: RunningCommand
  let address: string
  let sandboxPort: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-demo-'))
    sandboxPort = String(await freeSandboxPort())
    running = startCommand(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: '0' } })
    address = (await running.waitForOutput(/ready at (http:\S+)/))[1]!
  })
  after(async () => {
    running.child.kill('SIGKILL')
    await running.ended
    await rm(cwd, { recursive: true, force: true })
  })

  const printedKey = async (kind: string) => (await running.waitForOutput(new RegExp(`svc_test_${kind}_\\w+`)))[0]
  const read = async (path: string, key: string) =>
    sendHttpRequest(address, path, { headers: { authorization: `Bearer ${key}` } })

  /** The first answer to which no system was late: each has as long as in any demo. */
  async function readComplete(path: string, key: string): Promise<Reply> {
    let reply: Reply
    await until(`${path} is whole`, async () => {
      reply = await read(path, key)
      return reply.body.errors?.length === 0
    })
    return reply!
  }

  it('prints the address, both keys, a call to try and a way to make a section fail', async () => {
    const [publishable, secret] = [await printedKey('pub'), await printedKey('sec')]
    await running.waitForOutput(new RegExp(`curl .*${publishable}.*${address}`))
    await running.waitForOutput(/X-Sandbox-Fault/)
    await running.waitForOutput(new RegExp(`\n  node \\S+ webhooks listen --api ${address}\n`))
    await running.waitForOutput(new RegExp(`node \\S+ sandbox --sandbox-port ${sandboxPort} outcomes`))
    expect((await read('/v1/ping', publishable)).body).to.include({ tenant_id: 'demo', mode: 'sandbox' })
    expect((await read('/v1/ping', secret)).body).to.include({ key_kind: 'SECRET' })
  })

  it('calls responses to requests without a key those of the sandbox, which all its keys belong to', async () => {
    const preflight = { origin: 'http://x.example', 'access-control-request-method': 'GET' }
    for (const [path, options] of [
      ['/nowhere', {}],
      ['/v1/ping', {}],
      ['/v1/ping', { headers: { authorization: 'Bearer none' } }],
      ['/v1/ping', { method: 'OPTIONS', headers: preflight }],
    ] as const)
      expect((await sendHttpRequest(address, path, options)).headers['x-service-mode'], path).to.equal('sandbox')
    for (const bytes of ['hello\r\n\r\n', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'])
      expect(await sendRawBytes(address, bytes), bytes).to.match(/^HTTP\/1\.1 400 .*\r\nX-Service-Mode: sandbox\r\n/s)
  })

  const consoleAccount = async () =>
    (await running.waitForOutput(/Operations pages: (http:\S+) {3}sign in as (\w+) with (\w{24})\n/)).slice(1)

  it('prints the address of the console, and an account that can sign in there', async () => {
    const [operations, name, password] = (await consoleAccount()) as [string, string, string]
    const body = new URLSearchParams({ name, password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, headers: got } = await sendHttpRequest(operations, '/sign-in', { method: 'POST', headers, body })
    expect([status, got.location]).to.deep.equal([303, '/'])
    const cookie = got['set-cookie']![0]!.split(';')[0]
    const page = await sendHttpRequest(operations, '/keys', { headers: { cookie } })
    expect([page.status, page.text.includes(await printedKey('sec'))]).to.deep.equal([200, false])
  })

  it('names the file with the token of its systems, as `sandbox` does while it runs', async () => {
    const file = join(cwd, 'data/sandbox/token')
    await running.waitForOutput(new RegExp(`account demo-live, .*token in ${file}`))
    const { code, err } = await runCommand(['sandbox', '--sandbox-port', sandboxPort], { cwd })
    expect(code).to.equal(1)
    expect(err)
      .to.include(`This sandbox is running already, at http://127.0.0.1:${sandboxPort}, `)
      .and.include(`Its bearer token is in ${file}`)
    const address = `http://127.0.0.1:${Number(sandboxPort) + 2}/demo-live/health`
    const token = (await readFile(file, 'utf8')).trim()
    expect((await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status).to.equal(200)
  })

  it('calls its own systems only when they respond', async () => {
    const log = await readFile(join(cwd, 'data', 'forecourt.log'), 'utf8')
    expect(log).to.match(/"version":"\d+\.\d+\.\d+",.*"msg":"listening"/)
    // One that is slow to answer, on a busy machine, was there when it was asked.
    const failed = log.split('\n').filter((line) => line.includes('upstream failed'))
    expect(failed.filter((line) => JSON.parse(line).failure !== 'timeout')).to.deep.equal([])
  })

  it('serves a catalog page from three systems', async () => {
    const { status, body } = await readComplete('/v1/products?limit=2', await printedKey('pub'))
    expect([status, body.data.length, body.errors]).to.deep.equal([200, 2, []])
    expect(body.data[0].tax).to.not.equal(null)
  })

  it('finds products by the numbers that the guide names', async () => {
    const key = await printedKey('pub')
    const found = async (number: string) => {
      const { body } = await readComplete(`/v1/lookup?number=${encodeURIComponent(number)}`, key)
      return body.data.map(({ sku, match }: { sku: string; match: { kind: string } }) => `${sku} ${match.kind}`)
    }
    await until('the references are shown', async () => (await found('BP-0901')).length > 0)
    expect(await found('bp 1001')).to.deep.equal(['BP-1001 SKU'])
    expect(await found('OZ-55692')).to.deep.equal(['BP-1001 MPN'])
    expect(await found('BP-0901')).to.deep.equal(['BP-1001 SUPERSEDES'])
    expect(await found('BP-1010')).to.deep.equal(['BP-1001 SUPERSEDES'])
    expect(await found('PADS/77')).to.deep.equal([])
    const { alternatives, supersedes } = (await readComplete('/v1/products/BP-1001', key)).body
    expect([alternatives.length > 0, supersedes]).to.deep.equal([true, ['BP-0901', 'BP-1010']])
  })

  it('accepts a key that is issued while it runs, and refuses it within a second of its revocation', async () => {
    const made = await runCommand(
      ['keys', 'issue', '--merchant', 'demo', '--kind', 'publishable', '--mode', 'live', '--json'],
      { cwd },
    )
    const { key, key_id } = JSON.parse(made.out)
    expect((await read('/v1/ping', key)).body).to.include({ key_id, mode: 'live' })
    expect((await readComplete('/v1/products?limit=1', key)).status).to.equal(200)
    await runCommand(['keys', 'revoke', key_id], { cwd })
    await until('the key is refused', async () => (await read('/v1/ping', key)).status === 401)
  })

  it('serves the page without the prices of a customer when pricing fails, and with them after --clear', async () => {
    const authorization = `Bearer ${await printedKey('sec')}`
    const { email, password } = shoppers.withCredit
    const login = { method: 'POST', headers: { authorization }, body: { email, password } }
    const { shopper_token } = (await sendHttpRequest(address, '/v1/shoppers/login', login)).body
    // List prices come from the mirror for a while.
    const headers = { authorization, 'x-storefront-shopper-token': shopper_token }
    const readPage = () => sendHttpRequest(address, '/v1/products/TY-1001', { headers })
    const fault = (...how: string[]) =>
      runCommand(['sandbox', 'fault', 'pricing', ...how, '--sandbox-port', sandboxPort], { cwd })
    expect((await fault('--status', '500')).code).to.equal(0)
    await until('the price is missing, and nothing else', async () => {
      const { status, body } = await readPage()
      const fields = body.errors?.map(({ field }: { field: string }) => field)
      return status === 200 && body.price === null && String(fields) === 'price'
    })
    expect((await fault('--clear')).code).to.equal(0)
    await until('the price is back', async () => (await readPage()).body.price !== null)
  })

  it('prints the listen command for another data directory', async () => {
    const env = { FORECOURT_DATA: join(cwd, 'other data') }
    const other = startCommand(['demo', '--sandbox-port', String(await freeSandboxPort())], {
      cwd,
      env: { ...env, PORT: '0' },
    })
    try {
      const [, at] = await other.waitForOutput(/ready at (http:\S+)/)
      await other.waitForOutput(
        new RegExp(`\n  FORECOURT_DATA='\\S+/other data' node \\S+ webhooks listen --api ${at}\n`),
      )
    } finally {
      other.child.kill('SIGTERM')
      await other.ended
    }
  })

  it('names the port that is in use, and exits 1', async () => {
    const { port } = new URL(address)
    const env = { FORECOURT_DATA: join(cwd, 'second data'), PORT: port }
    const second = await runCommand(['demo', '--sandbox-port', String(await freeSandboxPort())], { cwd, env })
    expect(second.code).to.equal(1)
    expect(second.err)
      .to.include(`Port ${port}`)
      .and.include('PORT')
      .and.not.match(/\n\s+at /)
    expect((await read('/health', '')).status).to.equal(200)
  })

  it('refuses a store that another server uses, and exits 1', async () => {
    const second = await runCommand(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: '0' } })
    expect(second).to.include({ code: 1, out: '' })
    expect(second.err).to.match(
      /^forecourt: The store sqlite:\S+ is already served by another process\. Stop that process, .*\. To start a second demo beside it: FORECOURT_DATA=\S+\/second PORT=0 node \S+ demo --sandbox-port \d+\n$/,
    )
    expect(second.err).to.not.include(`--sandbox-port ${sandboxPort}\n`)
    expect((await read('/health', '')).status).to.equal(200)
  })

  it('has the same keys at its next start, and exits with 0 at SIGTERM', async () => {
    const before = await printedKey('pub')
    const [, ...account] = await consoleAccount()
    running.child.kill('SIGINT')
    expect((await running.ended).code).to.equal(0)
    running = startCommand(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: '0' } })
    await running.waitForOutput(/ready at/)
    expect(await printedKey('pub')).to.equal(before)
    expect((await consoleAccount()).slice(1)).to.deep.equal(account)
    running.child.kill('SIGTERM')
    const { code, err } = await running.ended
    expect([code, err]).to.deep.equal([0, ''])
  })
})
