import { expect } from 'chai'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrateStore } from '../../../src/storage/migrate-store.ts'
import { cartShopper } from '../../routes/carts/cart-shopper-client.ts'
import { startApi } from '../../support/api.ts'
import { runPostgresStatement, stores, withPostgresClient } from '../../support/stores.ts'
import { hasPgBouncer, type PgBouncerServer, startPgBouncer } from './pgbouncer-server.ts'

const postgres = stores().find(({ name }) => name === 'PostgreSQL')
/** As docs/store.md has it. */
const IGNORED = 'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout'

if (postgres && hasPgBouncer())
  describe('a PostgreSQL store behind PgBouncer', function () {
    // It may be migrated behind other tests of a busy machine.
    this.timeout(300_000)
    let pgBouncer: PgBouncerServer | undefined

    /** Starts PgBouncer with these settings in front of a store, and returns the URL of the store behind it. */
    async function startBefore(url: string, ...settings: string[]): Promise<string> {
      pgBouncer = await startPgBouncer(url, settings)
      return pgBouncer.through(url)
    }
    /** Limits the sessions of a role as docs/store.md does, but only in this database. */
    async function setTimeouts(url: string): Promise<void> {
      const { username, pathname } = new URL(url)
      const session = `alter role ${username} in database ${pathname.slice(1)}`
      await runPostgresStatement(
        url,
        `${session} set statement_timeout = '60s'; ${session} set idle_in_transaction_session_timeout = '30s'`,
      )
    }
    const refusalOf = (work: Promise<unknown>) =>
      work.then(
        () => 'none',
        ({ message }: Error) => message.replace(/^The store \S+ cannot be used: /, ''),
      )

    afterEach(async () => {
      await pgBouncer?.[Symbol.asyncDispose]()
      pgBouncer = undefined
      await postgres.close()
    })

    it('is migrated once by processes that start at once, and keeps no lock', async () => {
      const store = await startBefore(await postgres.createBare(), 'pool_mode = transaction')
      const applied = (await Promise.all([1, 2, 3].map(() => migrateStore(store)))).flat()
      expect(applied).to.include('001-keys-and-sessions')
      expect(new Set(applied).size).to.equal(applied.length)
      const locks = await withPostgresClient(postgres.url(), (client) =>
        client.query(
          `select from pg_locks where locktype = 'advisory'
             and database = (select oid from pg_database where datname = current_database())`,
        ),
      )
      expect(locks.rowCount).to.equal(0)
    })

    it('places one order per cart when transactions share three sessions', async () => {
      const url = await postgres.createBare()
      await setTimeouts(url)
      const store = await startBefore(url, 'pool_mode = transaction', IGNORED)
      await migrateStore(store)
      await using api = await startApi({ store })
      const shopper = await cartShopper(api)
      const line = { sku: knownSkus.inStock, quantity: 1 }
      const carts = await Promise.all([1, 2, 3, 4].map(() => shopper.cart(line)))
      const replies = await Promise.all(
        [...carts, ...carts].map((path) =>
          shopper.ask('POST', '/v1/checkout', { cart_id: path.split('/').at(-1) }).then(({ body }) => body),
        ),
      )
      expect(replies.map(({ state }) => state)).to.deep.equal(Array(8).fill('placed'))
      const orderIds = replies.slice(0, 4).map(({ order_id }) => order_id)
      expect(replies.slice(4).map(({ order_id }) => order_id)).to.deep.equal(orderIds)
      const orders = await api.db.selectFrom('orders').select('order_id').execute()
      expect(orders.map(({ order_id }) => order_id)).to.have.members(orderIds)
    })

    it('says what to set when PgBouncer refuses the timeouts', async () => {
      const store = await startBefore(await postgres.createBare(), 'pool_mode = transaction')
      expect(await refusalOf(openDatabase(store))).to.equal(
        `unsupported startup parameter: statement_timeout. Set ${IGNORED} in pgbouncer.ini: see docs/store.md`,
      )
    })

    it('says what to set when PostgreSQL has no timeouts because PgBouncer ignores them', async () => {
      const store = await startBefore(await postgres.createBare(), 'pool_mode = transaction', IGNORED)
      const role = new URL(store).username
      expect(await refusalOf(openDatabase(store))).to.equal(
        `PostgreSQL does not end slow statements and silent transactions, because a pooler ignores the timeouts that Forecourt asks for. Run: alter role "${role}" set statement_timeout = '5s'; alter role "${role}" set idle_in_transaction_session_timeout = '2500ms'. Then run in PgBouncer's console: reconnect`,
      )
    })

    it('says what to set when PgBouncer allows no transactions', async () => {
      const store = await startBefore(await postgres.createBare(), 'pool_mode = statement', IGNORED)
      const refusal =
        'transaction blocks not allowed in statement pooling mode. Set pool_mode = transaction in pgbouncer.ini: see docs/store.md'
      expect([await refusalOf(openDatabase(store)), await refusalOf(migrateStore(store))]).to.deep.equal([
        refusal,
        refusal,
      ])
    })
  })
