import { expect } from 'chai'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { readKeyUsage } from '../../src/diagnostics/reports/key-usage.ts'
import { type RefusedKeyStatus, readRefusedKeys } from '../../src/diagnostics/status/read-refused-keys.ts'
import { listOpenIncidents } from '../../src/storage/diagnostics/open-incidents.ts'
import { generateApiKey } from '../../src/storage/keys/api-key-format.ts'
import { type ApiKey, revokeApiKey } from '../../src/storage/keys/api-keys.ts'
import { writeAuditEntry } from '../../src/storage/operators/audit-log.ts'
import { type Api, startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'

const send = async (api: Api, key: string, headers: Record<string, string> = {}) =>
  (await api.request('/v1/ping', { headers: { authorization: `Bearer ${key}`, ...headers } })).status

/** Revokes a key, as the page does, and waits until it is refused. Returns how often it was refused. */
async function revoke(api: Api, key: string, { key_id }: ApiKey): Promise<number> {
  await revokeApiKey(api.db, key_id)
  const entry = { operator: 'anna', role: 'operator', action: 'key.revoke', target: { key: key_id }, address: null }
  await writeAuditEntry(api.db, { ...entry, outcome: 'done' }, Date.now())
  await until('the key is refused', async () => (await send(api, key)) === 401)
  return 1
}

async function readUntil(api: Api, refused: number): Promise<RefusedKeyStatus> {
  let found: RefusedKeyStatus | undefined
  await until('the incident of the key is stored', async () => {
    found = (await readRefusedKeys(api.db, await listOpenIncidents(api.db), Date.now()))[0]
    return found?.refused === refused
  })
  return found!
}

for (const store of stores())
  describe(`keys that are refused over ${store.name}`, () => {
    let api: Api

    beforeEach(async () => {
      api = await startApi({ store: await store.createMigrated() })
    })
    afterEach(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    it('are an incident when they were revoked and are still used, with who revoked them', async () => {
      const { key, record } = await api.issueKey({ label: 'till 4' })
      expect(await send(api, key)).to.equal(200)
      let refused = await revoke(api, key, record)
      for (; refused < 5; refused++) expect(await send(api, key)).to.equal(401)
      const status = await readUntil(api, 5)
      expect(status).to.deep.include({ reason: 'revoked', revokedBy: 'anna', refused: 5 })
      expect(status.key).to.deep.include({ key_id: record.key_id, label: 'till 4', tenant_id: 'acme' })
      const { incidents } = await listIncidents(api.db, { limit: 9 })
      expect(incidents.map(({ tenant, mode, section, codes }) => ({ tenant, mode, section, codes }))).to.deep.equal([
        { tenant: 'acme', mode: 'sandbox', section: record.key_id, codes: [{ code: 'invalid_api_key', count: 5 }] },
      ])
      await until('the usage is stored', async () => (await readKeyUsage(api.db, 1)).get(record.key_id)?.refused === 5)
    })

    it('are an incident when they do not allow the origin', async () => {
      const { key } = await api.issueKey({ origins: ['https://shop.example'] })
      expect(await send(api, key, { origin: 'https://moved.example' })).to.equal(403)
      expect(await send(api, key, { origin: 'https://shop.example' })).to.equal(200)
      expect(await readUntil(api, 1)).to.deep.include({ reason: 'origin', endedAt: null, revokedBy: null })
    })

    it('are no incident when nobody issued them, however many there are', async () => {
      const { key, record } = await api.issueKey()
      for (let sent = 0; sent < 50; sent++) expect(await send(api, generateApiKey('secret', 'live'))).to.equal(401)
      await revoke(api, key, record)
      await readUntil(api, 1)
      expect(await listOpenIncidents(api.db)).to.have.length(1)
    })
  })
