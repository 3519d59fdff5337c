import { expect } from 'chai'
import { readStoredStatus } from '../../src/diagnostics/status/read-stored-status.ts'
import type { Database } from '../../src/storage/database.ts'
import { writeAuditEntry } from '../../src/storage/operators/audit-log.ts'
import { stores } from '../support/stores.ts'
import { START_MS } from './diagnostics-setup.ts'

/** Counts the queries of a store until the returned object is disposed. */
function countConnections(db: Database): Disposable & { count: number } {
  const executor = db.getExecutor()
  const { provideConnection } = executor
  const counted = {
    count: 0,
    [Symbol.dispose]() {
      executor.provideConnection = provideConnection
    },
  }
  executor.provideConnection = (...parameters) => {
    counted.count += 1
    return provideConnection.apply(executor, parameters) as never
  }
  return counted
}

for (const store of stores())
  describe(`the stored status over ${store.name}`, () => {
    let db: Database

    beforeEach(async () => {
      db = await store.open()
    })
    afterEach(() => store.close())

    it('has the incident that ended last within an hour, however many refused keys and other merchants had later ones', async () => {
      const at = (minutes: number) => new Date(START_MS - minutes * 60_000).toISOString()
      const incident = (id: string, lastMinutes: number, endedMinutes: number) => ({
        incident_id: id,
        tenant_id: 'acme',
        mode: 'live' as const,
        system: 'pricing',
        section: 'price',
        began_at: at(90),
        last_at: at(lastMinutes),
        ended_at: at(endedMinutes),
        codes: '{}',
        samples: '[]',
        answers: 1,
      })
      const read = async () => (await readStoredStatus(db, ['acme'], START_MS)).latestIncident
      await db
        .insertInto('incidents')
        .values(incident('inc_old', 61, 30))
        .execute()
      expect(await read()).to.equal(null)
      const keys = Array.from({ length: 10 }, (_, index) => ({
        ...incident(`inc_key_${index}`, 2, 1),
        system: '',
        section: `key_${String(index).padStart(16, '0')}`,
      }))
      const others = [
        incident('inc_last', 40, 5),
        incident('inc_earlier', 30, 10),
        { ...incident('inc_other', 2, 1), tenant_id: 'other' },
      ]
      await db
        .insertInto('incidents')
        .values([...keys, ...others])
        .execute()
      expect(await read()).to.deep.equal({
        incident_id: 'inc_last',
        tenant_id: 'acme',
        mode: 'live',
        system: 'pricing',
        section: 'price',
        last_at: at(40),
        causes: null,
      })
    })

    it('has the import in use of each that failed, with the same number of queries for any number of them', async () => {
      const fail = (tenant: string, action: string) =>
        writeAuditEntry(
          db,
          {
            operator: 'ann',
            role: 'operator',
            action,
            target: { merchant: tenant, mode: 'live', source: 'new.csv' },
            outcome: 'failed',
            address: null,
          },
          START_MS,
        )
      const read = async () => {
        using queries = countConnections(db)
        const { failedImports } = await readStoredStatus(db, ['acme', 'other'], START_MS)
        return { imports: failedImports, queries: queries.count }
      }
      const importRow = { mode: 'live' as const, counts: '{}', created_at: 'x', touched_at: 'x' }
      await db
        .insertInto('fitment_imports')
        .values([
          { ...importRow, import_id: 1, tenant_id: 'acme', state: 'CURRENT', source: 'old.csv' },
          { ...importRow, import_id: 2, tenant_id: 'other', state: 'ENDED', source: 'ended.csv' },
        ])
        .execute()
      await fail('acme', 'fitment.import')
      const one = await read()
      await fail('other', 'fitment.import')
      await fail('acme', 'references.import')
      const three = await read()
      expect(three.imports.map(({ action, tenant_id, shown }) => [action, tenant_id, shown])).to.have.deep.members([
        ['fitment.import', 'acme', { source: 'old.csv', at: 'x' }],
        ['fitment.import', 'other', null],
        ['references.import', 'acme', null],
      ])
      expect(three.queries).to.equal(one.queries)
    })
  })
