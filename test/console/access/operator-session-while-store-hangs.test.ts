import { expect } from 'chai'
import { createOperatorSession, createOperatorSessionReader } from '../../../src/console/access/operator-session.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { endOperatorSession } from '../../../src/storage/operators/operator-sessions.ts'

const AT = '2026-05-01T10:00:00.000Z'
const now = () => Date.parse(AT)

describe('the session of an operator, while the store hangs', () => {
  let db: Database
  let isHung = false
  let read: (method: string) => Promise<string | undefined>
  let end: () => Promise<void>

  beforeEach(async () => {
    isHung = false
    db = await openDatabase('sqlite::memory:')
    const operator = { operator_id: 'opr_1', name: 'eve', role: 'support', password_hash: '', created_at: AT } as const
    await db.insertInto('operators').values(operator).execute()
    const token = await createOperatorSession(db, 'opr_1', now())
    const reader = createOperatorSessionReader(
      hangWhen(db, () => isHung),
      now,
      1,
    )
    const cookies = { get: () => token } as never
    read = async (method) => (await reader.read({ cookies, method }))?.operator.name
    end = async () => {
      const session = await reader.read({ cookies, method: 'GET' })
      await endOperatorSession(db, session!.digest)
      reader.forget({ cookies })
    }
  })
  afterEach(() => db.destroy())

  it('sees pages, but changes nothing', async () => {
    expect(await read('GET')).to.equal('eve')
    isHung = true
    expect(await read('GET')).to.equal('eve')
    expect(await Promise.race([read('POST'), new Promise((resolve) => setImmediate(resolve, 'waits'))])).to.equal(
      'waits',
    )
  })

  it('is not known any more after a sign-out', async () => {
    expect(await read('GET')).to.equal('eve')
    await end()
    isHung = true
    expect(await Promise.race([read('GET'), new Promise((resolve) => setImmediate(resolve, 'waits'))])).to.equal(
      'waits',
    )
  })
})

/** Returns a database whose queries never end while `isHung`. */
function hangWhen(db: Database, isHung: () => boolean): Database {
  const endless: object = new Proxy(() => {}, {
    get: (_, name) => (String(name).startsWith('execute') ? () => new Promise(() => {}) : () => endless),
  })
  return new Proxy(db, {
    get(target, name) {
      if (name === 'selectFrom' && isHung()) return () => endless
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
