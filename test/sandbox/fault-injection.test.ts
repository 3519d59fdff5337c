import { request } from 'node:http'
import { expect } from 'chai'
import { clearFaults, readCallCounts, resetCallCounts, setFault } from '../../src/sandbox/control/control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { until } from '../support/until.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

describe('the sandbox: faults', () => {
  let system: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>
  let randomNumbers: number[] = []

  before(async () => {
    folder = await createTempFolder()
    system = await startTestSystem({
      system: 'accounting',
      directory: folder.directory,
      random: () => randomNumbers.shift() ?? 1,
    })
  })

  afterEach(() => clearFaults(system.controlAddress))

  after(async () => {
    await system.stop()
    await folder.remove()
  })

  it('delays responses', async () => {
    await setFault(system.controlAddress, { delay_ms: 60 })
    const startedAt = performance.now()
    expect((await sendRequest(system, '/health')).body).to.deep.equal({ status: 'ok' })
    expect(performance.now() - startedAt).to.be.greaterThan(55)
  })

  it('stops after the request timeout of the caller', async () => {
    await setFault(system.controlAddress, { delay_ms: 30 })
    const { status, body } = await sendRequest(system, '/health', { headers: { 'x-request-timeout-ms': '10' } })
    expect([status, body]).to.deep.equal([
      503,
      { error: 'gave_up', detail: 'the request timeout of the caller has passed' },
    ])
  })

  it('hangs until the caller leaves', async () => {
    await resetCallCounts(system.controlAddress)
    await setFault(system.controlAddress, { hang: true })
    const controller = new AbortController()
    const hanging = fetch(`${system.address}/demo/health`, {
      headers: { authorization: 'Bearer sandbox' },
      signal: controller.signal,
    })
    await until('it hangs', async () => (await readCallCounts(system.controlAddress)).readHealth === 1)
    controller.abort()
    const ended = await hanging.catch((error: Error) => error.name)
    expect(ended).to.equal('AbortError')
  })

  it('fails a random share of calls', async () => {
    randomNumbers = [0.1, 0.4, 0.2, 0.9]
    await setFault(system.controlAddress, { error_rate: 0.3, status: 502 })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) statuses.push((await sendRequest(system, '/health')).status)
    expect(statuses).to.deep.equal([502, 200, 502, 200])
  })

  it('fails every call when only a status is set', async () => {
    randomNumbers = [0, 0.999]
    await setFault(system.controlAddress, { status: 500 })
    const failure = { error: 'fault', detail: 'this failure was injected' }
    for (let i = 0; i < 2; i++) {
      const { status, body } = await sendRequest(system, '/health')
      expect([status, body]).to.deep.equal([500, failure])
    }
  })

  it('responds with garbage', async () => {
    await setFault(system.controlAddress, { garbage: true })
    const { status, text, body } = await sendRequest(system, '/health')
    expect([status, body]).to.deep.equal([200, undefined])
    expect(text).to.match(/^\{"data"/)
  })

  it('cuts the connection of a share of calls after the work', async () => {
    const body = {
      reference: 'cut',
      email: 'cut@b.example',
      first_name: 'C',
      last_name: 'D',
      company: null,
      phone: null,
    }
    randomNumbers = [0.1, 0.4]
    await setFault(system.controlAddress, { drop_after: 0.3 })
    const cut = await sendRequest(system, '/customers', { body }).catch((error: Error) => error.message)
    expect(cut).to.equal('fetch failed')
    await clearFaults(system.controlAddress)
    expect((await sendRequest(system, '/customers/lookup', { body: { email: 'cut@b.example' } })).status).to.equal(200)
  })

  it('does the work at once, and responds late', async () => {
    const body = {
      reference: 'slow',
      email: 'slow@b.example',
      first_name: 'C',
      last_name: 'D',
      company: null,
      phone: null,
    }
    await setFault(system.controlAddress, { late_ms: 60_000, only: ['createCustomer'] })
    const controller = new AbortController()
    const slow = fetch(`${system.address}/demo/customers`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox' },
      body: JSON.stringify(body),
      signal: controller.signal,
    }).catch((error: Error) => error.name)
    await until('the work is done', async () => {
      const { status } = await sendRequest(system, '/customers/lookup', { body: { email: 'slow@b.example' } })
      return status === 200
    })
    controller.abort()
    expect(await slow).to.equal('AbortError')
  })

  it('responds late to a random share of calls', async () => {
    randomNumbers = [0.1, 0.9]
    await setFault(system.controlAddress, { late_ms: 60, late_rate: 0.5 })
    const startedAt = performance.now()
    await sendRequest(system, '/health')
    expect(performance.now() - startedAt).to.be.greaterThan(55)
    expect((await sendRequest(system, '/health')).status).to.equal(200)
    expect(randomNumbers).to.deep.equal([])
  })

  it('applies a fault only to the named operations', async () => {
    await setFault(system.controlAddress, { status: 500, only: ['readCustomer'] })
    randomNumbers = [0]
    expect((await sendRequest(system, '/health')).status).to.equal(200)
    expect((await sendRequest(system, '/customers/C-1001')).status).to.equal(500)
  })

  it('refuses connections, cuts open ones, and listens again on the same port', async () => {
    const connection = openConnection(system)
    await connection.answered
    await setFault(system.controlAddress, { refuse: true })
    await connection.closed
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
    randomNumbers = [0]
    await sendRequest(system, '/taxes', { body: { skus: ['BP-1001'], customer_id: null } })
    expect(await readCallCounts(system.controlAddress)).to.deep.equal({ readHealth: 1, quoteTaxes: 1 })
    expect(system.calls).to.deep.equal({ readHealth: 1, quoteTaxes: 1 })
  })

  it('rejects unknown faults and requests from a browser', async () => {
    const put = (body: object, headers = {}) =>
      fetch(`${system.controlAddress}/faults`, { method: 'PUT', body: JSON.stringify(body), headers })
    expect((await put({ status: 200 })).status).to.equal(400)
    expect((await put({ hung: true })).status).to.equal(400)
    expect((await put({ hang: true }, { origin: 'https://elsewhere.example' })).status).to.equal(403)
    expect(await (await fetch(`${system.controlAddress}/faults`)).json()).to.deep.equal({})
  })
})

/** Opens a keep-alive connection and makes one call on it. */
function openConnection(system: RunningSystem) {
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
