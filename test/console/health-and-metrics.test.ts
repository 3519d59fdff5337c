import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import { startTestConsole } from './test-console.ts'

describe('the probes of the operations listener', () => {
  const [store] = stores()
  let db: Database
  before(async () => {
    db = await store!.open()
  })
  after(() => store!.close())

  it('report liveness and readiness without a session and without the store', async () => {
    // Without a store, which probes must not use.
    await using testConsole = await startTestConsole(null as never, [])
    const probe = async () =>
      [await testConsole.request('/livez'), await testConsole.request('/readyz')].map(({ status, body }) => [
        status,
        body,
      ])
    const live = [200, { status: 'ok' }]
    expect(await probe()).to.deep.equal([live, [503, { status: 'starting', store: 'ok' }]])
    testConsole.readiness.markReady()
    expect(await probe()).to.deep.equal([live, [200, { status: 'ready', store: 'ok' }]])
    testConsole.readiness.markDraining()
    testConsole.readiness.markReady()
    expect(await probe()).to.deep.equal([live, [503, { status: 'draining', store: 'ok' }]])
    expect((await testConsole.request('/livez', { method: 'POST' })).status).to.equal(401)
  })

  it('include metrics only where configured', async () => {
    await using testConsole = await startTestConsole(db, [], { metrics: true })
    const { status, text, headers } = await testConsole.request('/metrics')
    expect([status, text]).to.deep.equal([200, 'forecourt_up 1\n'])
    expect(headers['content-type']).to.match(/^text\/plain; version=0\.0\.4/)
    await using other = await startTestConsole(db, [])
    expect((await other.request('/metrics')).status).to.equal(303)
  })
})
