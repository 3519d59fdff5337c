import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Database } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { startApi } from '../support/api.ts'
import { stores } from '../support/stores.ts'
import { until } from '../support/until.ts'

const [sqlite] = stores()
/** Longer than a server waits that accepts requests. */
const WRITE_MS = 1_000

describe('a server whose store another process writes to', () => {
  afterEach(() => sqlite!.close())

  it('waits for it while it starts, and not for long when it accepts requests', async () => {
    await sqlite!.open()
    const store = sqlite!.url()
    using other = new DatabaseSync(store.slice('sqlite:'.length))
    /** The server may be writing at this moment. */
    const begin = () =>
      until('nobody else writes', () => {
        try {
          other.exec('begin immediate')
          return true
        } catch {
          return false
        }
      })
    const write = (db: Database) => issueApiKey(db, { merchant: 'acme', kind: 'publishable', mode: 'sandbox' })
    await using api = await startApi({
      store,
      async prepare(db) {
        await begin()
        setTimeout(() => other.exec('rollback'), WRITE_MS)
        await write(db)
      },
    })
    await begin()
    const error = await write(api.db).catch((thrown: Error) => thrown.message)
    other.exec('rollback')
    expect(error).to.equal('database is locked')
  })
})
