import { expect } from 'chai'
import pino from 'pino'
import { createReadiness } from '../../src/operations/readiness.ts'
import { startMetricsListener } from '../../src/runtime/metrics-listener.ts'

describe('the listener of the metrics', () => {
  const address = { host: '127.0.0.1', port: 0, portSetting: 'metrics.port', logger: pino({ level: 'silent' }) }

  it('serves the probes of an orchestrator beside the metrics', async () => {
    const readiness = createReadiness()
    const readMetrics = async () => 'forecourt_up 1\n'
    await using listener = await startMetricsListener(address, { readMetrics, readiness, store: { outage: null } })
    const get = async (path: string) => {
      const reply = await fetch(listener.address + path)
      return [reply.status, await reply.text()]
    }
    expect(await get('/livez')).to.deep.equal([200, '{"status":"ok"}'])
    expect((await get('/readyz'))[0]).to.equal(503)
    readiness.markReady()
    expect(await get('/readyz?verbose')).to.deep.equal([200, '{"status":"ready","store":"ok"}'])
    readiness.markDraining()
    expect((await get('/readyz'))[0]).to.equal(503)
    expect(await get('/metrics')).to.deep.equal([200, 'forecourt_up 1\n'])
  })

  it('reports metrics that cannot be read', async () => {
    const readMetrics = () => Promise.reject(new Error('broken'))
    const parts = { readMetrics, readiness: createReadiness(), store: { outage: null } }
    await using listener = await startMetricsListener(address, parts)
    expect((await fetch(`${listener.address}/metrics`)).status).to.equal(500)
  })
})
