import { expect } from 'chai'
import { findIncident, type IncidentDetail } from '../../src/diagnostics/reports/incident-detail.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { type RequestRecord, readRequestRecords } from '../../src/diagnostics/reports/request-records.ts'
import { type Api, startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'

/** Reads products without prices until the circuit refuses a call, and returns that response. */
async function openCircuit(api: Api): Promise<{ requestId: string; errors: string }> {
  const [key, liveKey] = [await api.key(), await api.key({ mode: 'live' })]
  const { body } = await api.request('/v1/products?limit=40', { key: liveKey })
  const skus = body.data.map(({ sku }: { sku: string }) => sku) as string[]
  await api.fault('pricing', { status: 502 })
  let refused = { requestId: '', errors: '' }
  await until('the circuit refuses a call', async () => {
    for (const reply of await Promise.all(skus.map((sku) => api.request(`/v1/products/${sku}`, { key }))))
      if (reply.body.errors?.some(({ code }: { code: string }) => code === 'circuit_open'))
        refused = { requestId: String(reply.headers['x-request-id']), errors: JSON.stringify(reply.body.errors) }
    return refused.requestId !== ''
  })
  return refused
}

async function readRecord(api: Api, requestId: string): Promise<RequestRecord> {
  let record: RequestRecord | undefined
  await until('the record is stored', async () => {
    record = (await readRequestRecords(api.db, requestId))[0]
    return record !== undefined
  })
  return record!
}

async function readIncident(api: Api): Promise<IncidentDetail> {
  let incident: IncidentDetail | null = null
  await until('the incident and the opening are stored', async () => {
    const { incidents } = await listIncidents(api.db, { limit: 9, open: true })
    const found = incidents.find(({ codes }) => codes.some(({ code }) => code === 'circuit_open'))
    incident = found ? await findIncident(api.db, found.incidentId) : null
    return incident?.changes.some(({ state }) => state === 'open') ?? false
  })
  return incident!
}

for (const store of stores())
  describe(`the cause of an open circuit over ${store.name}`, () => {
    afterEach(() => store.close())

    it('stays on the incident, the request and the opening, and never reaches the shopper', async () => {
      await using api = await startApi({ store: await store.createMigrated() })
      const { requestId, errors } = await openCircuit(api)
      expect(errors).to.not.match(/502|127\.0\.0\.1|localhost/)

      const section = (await readRecord(api, requestId)).sections.find(({ code }) => code === 'circuit_open')!
      expect(section.kind).to.equal('HTTP 502')
      expect(section.cause).to.match(/^circuit open after \d+ × HTTP 502: no call was made$/)

      const { causes, answers, changes } = await readIncident(api)
      expect(causes).to.deep.equal([{ kind: 'HTTP 502', count: answers }])
      const opening = changes.find(({ state }) => state === 'open')!
      expect(opening.causes.map(({ kind }) => kind)).to.deep.equal(['HTTP 502'])
    })
  })
