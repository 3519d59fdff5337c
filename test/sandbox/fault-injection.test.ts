import { request } from 'node:http'
import { expect } from 'chai'
import { clearFaults, readCallCounts, resetCallCounts, setFault } from '../../src/sandbox/control/control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { until } from '../support/until.ts'
import { createTempFolder, sendRequest, startTestSystem } from './system-client.ts'

describe('the sandbox: faults', () => {
  let system: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>
  let dice: number[] = []

  before(async () => {
    folder = await createTempFolder()
    system = await startTestSystem({
      system: 'accounting',
      directory: folder.directory,
      random: () => dice.shift() ?? 1,
    })
  })

  afterEach(() => clearFaults(system.controlAddress))

  after(async () => {
    await system.stop()
    await folder.remove()
  })

  it('delays', async () => {
    await setFault(system.controlAddress, { delay_ms: 60 })
    const asked = performance.now()
    expect((await sendRequest(system, '/health')).body).to.deep.equal({ status: 'ok' })
    expect(performance.now() - asked).to.be.greaterThan(55)
  })

  it('gives up when its caller has', async () => {
    await setFault(system.controlAddress, { delay_ms: 30 })
    const { status, body } = await sendRequest(system, '/health', { headers: { 'x-request-timeout-ms': '10' } })
    expect([status, body]).to.deep.equal([503, { error: 'gave_up', detail: 'the caller waits no longer' }])
  })

  it('hangs until the caller leaves', async () => {
    await resetCallCounts(system.controlAddress)
    await setFault(system.controlAddress, { hang: true })
    const leaving = new AbortController()
    const hanging = fetch(`${system.address}/demo/health`, {
      headers: { authorization: 'Bearer sandbox' },
      signal: leaving.signal,
    })
    await until('it hangs', async () => (await readCallCounts(system.controlAddress)).readHealth === 1)
    leaving.abort()
    const ended = await hanging.catch((error: Error) => error.name)
    expect(ended).to.equal('AbortError')
  })

  it('fails a share of calls, as the dice fall', async () => {
    dice = [0.1, 0.4, 0.2, 0.9]
    await setFault(system.controlAddress, { error_rate: 0.3, status: 502 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await sendRequest(system, '/health')).status)
    expect(statuses).to.deep.equal([502, 200, 502, 200])
  })

  it('fails always with a status alone', async () => {
    dice = [0, 0.999]
    await setFault(system.controlAddress, { status: 500 })
    const failure = { error: 'fault', detail: 'this failure was asked for' }
    for (let i = 0; i < 2; i++) {
      const { status, body } = await sendRequest(system, '/health')
      expect([status, body]).to.deep.equal([500, failure])
    }
  })

  it('answers garbage', async () => {
    await setFault(system.controlAddress, { garbage: true })
    const { status, text, body } = await sendRequest(system, '/health')
    expect([status, body]).to.deep.equal([200, undefined])
    expect(text).to.match(/^\{"data"/)
  })

  it('does the work of a share of the calls, and then cuts the connection', async () => {
    const body = {
      reference: 'cut',
      email: 'cut@b.example',
      first_name: 'C',
      last_name: 'D',
      company: null,
      phone: null,
    }
    dice = [0.1, 0.4]
    await setFault(system.controlAddress, { drop_after: 0.3 })
    const cut = await sendRequest(system, '/customers', { body }).catch((error: Error) => error.message)
    expect(cut).to.equal('fetch failed')
    await clearFaults(system.controlAddress)
    expect((await sendRequest(system, '/customers/lookup', { body: { email: 'cut@b.example' } })).status).to.equal(200)
  })

  it('does the work at once, and answers late', async () => {
    const body = {
      reference: 'slow',
      email: 'slow@b.example',
      first_name: 'C',
      last_name: 'D',
      company: null,
      phone: null,
    }
    await setFault(system.controlAddress, { late_ms: 60_000, only: ['createCustomer'] })
    const leaving = new AbortController()
    const slow = fetch(`${system.address}/demo/customers`, {
      ...{ method: 'POST', headers: { authorization: 'Bearer sandbox' }, body: JSON.stringify(body) },
      signal: leaving.signal,
    }).catch((error: Error) => error.name)
    await until('the work is done', async () => {
      const { status } = await sendRequest(system, '/customers/lookup', { body: { email: 'slow@b.example' } })
      return status === 200
    })
    leaving.abort()
    expect(await slow).to.equal('AbortError')
  })

  it('answers a share late, as the dice fall', async () => {
    dice = [0.1, 0.9]
    await setFault(system.controlAddress, { late_ms: 60, late_rate: 0.5 })
    const asked = performance.now()
    await sendRequest(system, '/health')
    expect(performance.now() - asked).to.be.greaterThan(55)
    expect((await sendRequest(system, '/health')).status).to.equal(200)
    expect(dice).to.deep.equal([])
  })

  it('spoils the named operations alone', async () => {
    await setFault(system.controlAddress, { status: 500, only: ['readCustomer'] })
    dice = [0]
    expect((await sendRequest(system, '/health')).status).to.equal(200)
    expect((await sendRequest(system, '/customers/C-1001')).status).to.equal(500)
  })

  it('refuses connections, cuts those it has, and comes back on the same port', async () => {
    const held = heldConnection(system)
    await held.answered
    await setFault(system.controlAddress, { refuse: true })
    await held.closed
    const refused = await sendRequest(system, '/health').catch(
      (error: Error & { cause?: { code?: string } }) => error.cause?.code,
    )
    expect(refused).to.equal('ECONNREFUSED')
    await clearFaults(system.controlAddress)
    expect((await sendRequest(system, '/health')).status).to.equal(200)
  })

  it('counts calls by operation, failed ones too', async () => {
    await resetCallCounts(system.controlAddress)
    await sendRequest(system, '/health')
    await setFault(system.controlAddress, { status: 500 })
    dice = [0]
    await sendRequest(system, '/taxes', { body: { skus: ['BP-1001'], customer_id: null } })
    expect(await readCallCounts(system.controlAddress)).to.deep.equal({ readHealth: 1, quoteTaxes: 1 })
    expect(system.calls).to.deep.equal({ readHealth: 1, quoteTaxes: 1 })
  })

  it('takes no fault that it does not know, and nothing from a browser', async () => {
    const put = (body: object, headers = {}) =>
      fetch(`${system.controlAddress}/faults`, { method: 'PUT', body: JSON.stringify(body), headers })
    expect((await put({ status: 200 })).status).to.equal(400)
    expect((await put({ hung: true })).status).to.equal(400)
    expect((await put({ hang: true }, { origin: 'https://elsewhere.example' })).status).to.equal(403)
    expect(await (await fetch(`${system.controlAddress}/faults`)).json()).to.deep.equal({})
  })
})

/** A kept-alive connection with one answered call on it. */
function heldConnection(system: RunningSystem) {
  const call = request(`${system.address}/demo/health`, {
    headers: { authorization: 'Bearer sandbox', connection: 'keep-alive' },
  })
  const closed = new Promise<void>((resolve) => {
    call.once('socket', (socket) => socket.once('close', () => resolve()))
  })
  const answered = new Promise<void>((resolve) => {
    call.once('response', (response) => response.resume().once('end', resolve))
  })
  call.on('error', () => {})
  call.end()
  return { answered, closed }
}
