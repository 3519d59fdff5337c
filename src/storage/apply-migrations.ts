import { sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { isPostgresDatabase } from './is-postgres-database.ts'
import { limitLockWaits, retryLocked, withMigrationLock } from './migration-locks.ts'
import * as keysAndSessions from './migrations/001-keys-and-sessions.ts'
import * as shoppersCartsOrders from './migrations/002-shoppers-carts-orders.ts'
import * as webhooks from './migrations/003-webhooks.ts'
import * as fitments from './migrations/004-fitments.ts'
import * as pictureKey from './migrations/005-picture-key.ts'
import * as diagnostics from './migrations/006-diagnostics.ts'
import * as clients from './migrations/007-client-rate-limits.ts'
import * as accountProtection from './migrations/008-account-protection.ts'
import * as eventPositions from './migrations/009-event-positions.ts'
import * as storeProbesAndArchivedOrders from './migrations/010-store-probes-and-archived-orders.ts'
import * as indexes from './migrations/011-event-and-operations-indexes.ts'
import * as references from './migrations/014-references.ts'
import * as catalogMirror from './migrations/017-catalog-mirror.ts'
import * as catalogDocumentsAndVehicles from './migrations/018-catalog-documents-and-vehicles.ts'
import * as catalogWalks from './migrations/019-catalog-walks.ts'
import * as catalogIndexes from './migrations/020-catalog-indexes.ts'
import * as mirrorFollowers from './migrations/021-mirror-followers.ts'
import * as catalogCopies from './migrations/023-catalog-copies.ts'
import * as unnumberedResources from './migrations/025-unnumbered-resources.ts'
import * as productSales from './migrations/026-product-sales.ts'
import * as productSalesIndexes from './migrations/027-product-sales-indexes.ts'
import * as heldEvents from './migrations/029-held-events.ts'
import * as productOrdinals from './migrations/032-product-ordinals.ts'
import * as heldEventIndexes from './migrations/033-held-event-indexes.ts'
import * as tableStatistics from './migrations/037-table-statistics.ts'
import * as customerCarts from './migrations/040-customer-carts.ts'
import * as failureKinds from './migrations/043-failure-kinds.ts'
import * as backInStock from './migrations/046-back-in-stock.ts'
import * as requestSearch from './migrations/047-request-search.ts'
import * as requestIds from './migrations/048-request-ids.ts'
import * as orderTries from './migrations/049-order-tries.ts'
import * as search from './migrations/052-search.ts'
import * as maintenance from './migrations/053-maintenance.ts'
import * as incidentNotes from './migrations/054-incident-notes.ts'
import * as outageNotices from './migrations/055-outage-notices.ts'
import * as callPlaces from './migrations/059-call-places.ts'
import * as unnumberedOrders from './migrations/060-unnumbered-orders.ts'
import * as processStarts from './migrations/061-process-starts.ts'
import * as cartAndIncidentIndexes from './migrations/062-cart-and-incident-indexes.ts'
import * as respondingAndStopping from './migrations/063-times-of-responding-and-stopping.ts'
import * as importedDescriptions from './migrations/064-imported-descriptions.ts'
import * as creditReservations from './migrations/065-credit-reservations.ts'
import * as creditReservationIndex from './migrations/066-credit-reservation-index.ts'
import * as leaseCauses from './migrations/067-lease-causes.ts'
import * as endedFailuresAndLongestTimes from './migrations/068-ended-failures-and-longest-times.ts'

interface StoreMigration extends Migration {
  /** `false`: PostgreSQL runs its statements outside a transaction. They must be repeatable. */
  isTransactional?: boolean
}

/**
 * In order. A migration only adds, so that the previous release keeps working on the migrated store. Stores know migrations by
 * these keys, which stay as they were released, also where the file has got a better name.
 */
const migrations: Readonly<Record<string, StoreMigration>> = {
  '001-keys-and-sessions': keysAndSessions,
  '002-shoppers-carts-orders': shoppersCartsOrders,
  '003-webhooks': webhooks,
  '004-fitments': fitments,
  '005-picture-key': pictureKey,
  '006-diagnostics': diagnostics,
  '007-clients': clients,
  '008-account-protection': accountProtection,
  '009-event-positions': eventPositions,
  '010-store-faults': storeProbesAndArchivedOrders,
  '011-indexes': indexes,
  '014-references': references,
  '017-catalog-mirror': catalogMirror,
  '018-catalog-feeds': catalogDocumentsAndVehicles,
  '019-catalog-walks': catalogWalks,
  '020-catalog-indexes': catalogIndexes,
  '021-mirror-followers': mirrorFollowers,
  '023-catalog-copies': catalogCopies,
  '025-unnumbered-resources': unnumberedResources,
  '026-product-sales': productSales,
  '027-product-sales-indexes': productSalesIndexes,
  '029-held-events': heldEvents,
  '032-product-ordinals': productOrdinals,
  '033-held-event-indexes': heldEventIndexes,
  '037-table-statistics': tableStatistics,
  '040-customer-carts': customerCarts,
  '043-failure-kinds': failureKinds,
  '046-back-in-stock': backInStock,
  '047-request-search': requestSearch,
  '048-request-ids': requestIds,
  '049-order-tries': orderTries,
  '052-search': search,
  '053-maintenance': maintenance,
  '054-incident-notes': incidentNotes,
  '055-outage-notices': outageNotices,
  '059-call-places': callPlaces,
  '060-unnumbered-orders': unnumberedOrders,
  '061-process-starts': processStarts,
  '062-cart-and-incident-indexes': cartAndIncidentIndexes,
  '063-times-of-responding-and-stopping': respondingAndStopping,
  '064-imported-descriptions': importedDescriptions,
  '065-credit-reservations': creditReservations,
  '066-credit-reservation-index': creditReservationIndex,
  '067-lease-causes': leaseCauses,
  '068-ended-failures-and-longest-times': endedFailuresAndLongestTimes,
}

const UNDEFINED_TABLE = '42P01'

/** Returns whether no migration was applied. It never writes to the store. */
export async function isNewStore(db: Database): Promise<boolean> {
  return (await listAppliedMigrations(db)).length === 0
}

/** Returns the names of migrations that the store lacks. It never writes to the store. */
export async function listMissingMigrations(db: Database): Promise<string[]> {
  const applied = await listAppliedMigrations(db)
  return Object.keys(migrations).filter((name) => !applied.includes(name))
}

/** Returns the names of migrations that a later release has applied. It never writes to the store. */
export async function listLaterMigrations(db: Database): Promise<string[]> {
  return (await listAppliedMigrations(db)).filter((name) => !(name in migrations)).toSorted()
}

/**
 * Brings a store up to date and returns the applied migrations. Concurrent processes wait for the one that migrates. `onLocked` receives the
 * name of a migration each time that it found a table locked.
 */
export async function applyMigrations(db: Database, onLocked: (name: string) => void = () => {}): Promise<string[]> {
  if ((await listMissingMigrations(db)).length === 0) return []
  return withMigrationLock(db, async (requireLock) => {
    const applied = await createTables(db)
    for (let [next] = await listMissingMigrations(db); next; [next] = await listMissingMigrations(db)) {
      const name = next
      await requireLock()
      applied.push(
        ...(await retryLocked(
          () => applyNext(db, name),
          () => onLocked(name),
        )),
      )
    }
    return applied
  })
}

/** Applies all migrations to a new SQLite store in one transaction, which takes a quarter of the time. Returns the applied ones. */
async function createTables(db: Database): Promise<string[]> {
  if (isPostgresDatabase(db) || !(await isNewStore(db))) return []
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  return toApplied(await migrator.migrateToLatest())
}

/** Applies one migration in a transaction of its own, so that no table stays locked while the next ones run. */
async function applyNext(db: Database, name: string): Promise<string[]> {
  const disableTransactions = isPostgresDatabase(db) && migrations[name]!.isTransactional === false
  const pending = { ...migrations, ...(!disableTransactions && { [name]: limitLockWaits(migrations[name]!) }) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => pending } })
  return toApplied(await migrator.migrateUp({ disableTransactions }))
}

function toApplied({ error, results }: MigrationResultSet): string[] {
  if (error) throw isForeignHistory(error) ? new Error(FOREIGN_HISTORY, { cause: error }) : error
  return (results ?? []).map(({ migrationName }) => migrationName)
}

const FOREIGN_HISTORY =
  'its tables were created by a release that this one cannot upgrade. Use that release, or configure another store'

const isForeignHistory = (error: unknown) => error instanceof Error && error.message.startsWith('corrupted migrations')

async function listAppliedMigrations(db: Database): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (code === UNDEFINED_TABLE || message.startsWith('no such table')) return []
    throw error
  }
}
