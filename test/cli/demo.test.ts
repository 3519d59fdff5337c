import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Running, run, start } from '../support/command.ts'
import { exchange } from '../support/exchange.ts'
import { freeSandboxPort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

describe('forecourt demo', () => {
  let cwd: string
  let running: Running
  let address: string
  let sandboxPort: string

  before(async function () {
    this.timeout(30_000)
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-demo-'))
    sandboxPort = String(await freeSandboxPort())
    running = start(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: '0' } })
    address = (await running.said(/ready at (http:\S+)/))[1]!
  })
  after(async () => {
    running.child.kill('SIGKILL')
    await running.ended
    await rm(cwd, { recursive: true, force: true })
  })

  const keyOf = async (kind: string) => (await running.said(new RegExp(`svc_test_${kind}_\\w+`)))[0]
  const read = async (path: string, key: string) =>
    exchange(address, path, { headers: { authorization: `Bearer ${key}` } })

  it('prints what a newcomer needs: address, both keys, a line to try, a way to make a section fail', async () => {
    const [publishable, secret] = [await keyOf('pub'), await keyOf('sec')]
    await running.said(new RegExp(`curl .*${publishable}.*${address}`))
    await running.said(/X-Sandbox-Fault/)
    await running.said(new RegExp(`\n  npx forecourt webhooks listen --api ${address}\n`))
    await running.said(new RegExp(`npx forecourt sandbox --sandbox-port ${sandboxPort} outcomes`))
    expect((await read('/v1/ping', publishable)).body).to.include({ tenant_id: 'demo', mode: 'sandbox' })
    expect((await read('/v1/ping', secret)).body).to.include({ key_kind: 'SECRET' })
  })

  const ofOperators = async () =>
    (await running.said(/on call do: (http:\S+) {3}sign in as (\w+) with (\w{24})\n/)).slice(1)

  it('prints where those on call look, and how to sign in there', async () => {
    const [operations, name, password] = (await ofOperators()) as [string, string, string]
    const body = new URLSearchParams({ name, password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const { status, headers: got } = await exchange(operations, '/sign-in', { method: 'POST', headers, body })
    expect([status, got.location]).to.deep.equal([303, '/'])
    const cookie = got['set-cookie']![0]!.split(';')[0]
    const page = await exchange(operations, '/keys', { headers: { cookie } })
    expect([page.status, page.text.includes(await keyOf('sec'))]).to.deep.equal([200, false])
  })

  it('asks its own systems for nothing before they answer', async () => {
    const log = await readFile(join(cwd, 'data', 'forecourt.log'), 'utf8')
    expect(log).to.include('"msg":"listening"').and.not.include('upstream failed')
  })

  it('serves a catalog page from three systems', async () => {
    const { status, body } = await read('/v1/products?limit=2', await keyOf('pub'))
    expect([status, body.data.length, body.errors]).to.deep.equal([200, 2, []])
    expect(body.data[0].tax).to.not.equal(null)
  })

  it('takes a key that the command makes while it runs, and refuses it within a second of its end', async () => {
    const made = await run(
      ['keys', 'issue', '--merchant', 'demo', '--kind', 'publishable', '--mode', 'live', '--json'],
      { cwd },
    )
    const { key, key_id } = JSON.parse(made.out)
    expect((await read('/v1/ping', key)).body).to.include({ key_id, mode: 'live' })
    expect((await read('/v1/products?limit=1', key)).body.errors).to.deep.equal([])
    await run(['keys', 'revoke', key_id], { cwd })
    await until('the key is refused', async () => (await read('/v1/ping', key)).status === 401)
  }).timeout(20_000)

  it('keeps the page when pricing is told to fail, and is whole again after --clear', async () => {
    const key = await keyOf('pub')
    const fault = (...how: string[]) =>
      run(['sandbox', 'fault', 'pricing', ...how, '--sandbox-port', sandboxPort], { cwd })
    expect((await fault('--status', '500')).code).to.equal(0)
    const { status, body } = await read('/v1/products/TY-1001', key)
    expect([status, body.price, body.errors[0].field]).to.deep.equal([200, null, 'price'])
    expect((await fault('--clear')).code).to.equal(0)
    await until('the price is back', async () => (await read('/v1/products/TY-1001', key)).body.price !== null)
  }).timeout(20_000)

  it('prints how its events are listened for when its data is elsewhere', async () => {
    const env = { FORECOURT_DATA: join(cwd, 'other data') }
    const other = start(['demo', '--sandbox-port', String(await freeSandboxPort())], {
      cwd,
      env: { ...env, PORT: '0' },
    })
    try {
      const [, at] = await other.said(/ready at (http:\S+)/)
      await other.said(new RegExp(`\n  FORECOURT_DATA='\\S+/other data' npx forecourt webhooks listen --api ${at}\n`))
    } finally {
      other.child.kill('SIGTERM')
      await other.ended
    }
  }).timeout(30_000)

  it('says which port is taken, and exits 1', async () => {
    const { port } = new URL(address)
    const second = await run(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: port } })
    expect(second.code).to.equal(1)
    expect(second.err)
      .to.include(`Port ${port}`)
      .and.include('PORT')
      .and.not.match(/\n\s+at /)
    expect((await read('/health', '')).status).to.equal(200)
  }).timeout(20_000)

  it('has the same keys at its next start, and ends well at Ctrl-C', async () => {
    const before = await keyOf('pub')
    const [, ...account] = await ofOperators()
    running.child.kill('SIGINT')
    expect((await running.ended).code).to.equal(0)
    running = start(['demo', '--sandbox-port', sandboxPort], { cwd, env: { PORT: '0' } })
    await running.said(/ready at/)
    expect(await keyOf('pub')).to.equal(before)
    expect((await ofOperators()).slice(1)).to.deep.equal(account)
    running.child.kill('SIGTERM')
    const { code, err } = await running.ended
    expect([code, err]).to.deep.equal([0, ''])
  }).timeout(30_000)
})
