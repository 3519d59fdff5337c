import type { DatabaseSync } from 'node:sqlite'
import type { Category, Tag } from '../../../ports/inventory.ts'
import type { Vehicle } from '../../../ports/vehicle.ts'
import { createSharedValueReader, createSharedValueWriter } from '../../search/columns/shared-values.ts'
import type { MirrorRow, PopularityAndTimeChange } from '../file/mirror-row.ts'
import { createProductIndexer } from '../index/product-index-keys.ts'
import { createWordChanges } from '../index/word-changes.ts'
import { createVehicleWordReader } from '../vehicles/vehicle-word-reader.ts'
import { beginFill, finishFill, isFilling } from './fill-state.ts'
import { prepareMirrorStatements } from './mirror-statements.ts'
import { replaceCategories, replaceTags } from './replace-categories-and-tags.ts'
import { type ProductWriterParts, writeProductRow } from './write-product-row.ts'
import { removeVehicle, writeVehicle } from './write-vehicle-rows.ts'

/** Changes of one catalog, up to and including `sequence`. Absent lists have not changed. */
export interface MirrorChanges {
  sequence: number
  rows?: readonly MirrorRow[]
  /** The whole tree. */
  categories?: readonly Category[]
  /** All tags. */
  tags?: readonly Tag[]
  /** New or changed vehicles. They are written before the rows that refer to them. */
  vehicles?: readonly Vehicle[]
  /**
   * Set on all changes that fill an empty file: it is written faster, and finds products only after the last part. A file that already has
   * products ignores it.
   */
  fill?: 'part' | 'last'
  /** Changes that no client sees, of products that may not have changed otherwise. They are written after the rows. */
  unlisted?: readonly PopularityAndTimeChange[]
  /** The ids of vehicles that no longer exist. */
  removedVehicles?: readonly number[]
}

export interface MirrorWriter {
  /** Applies the changes in one transaction. Changes that are older than the file are ignored. */
  apply(changes: MirrorChanges): void
}

/** `pause`: called between short steps of a transaction, for which readers do not wait. */
export function createMirrorWriter(database: DatabaseSync, pause = () => {}): MirrorWriter {
  let parts = createParts(database)

  function write(changes: MirrorChanges): void {
    const { statements } = parts
    const { sequence, rows = [], categories, tags, vehicles = [], removedVehicles = [], fill, unlisted = [] } = changes
    for (const vehicle of vehicles) writeVehicle(parts, vehicle)
    for (const id of removedVehicles) removeVehicle(parts, id)
    if (vehicles.length + removedVehicles.length > 0) statements.advance.run('vehicles', sequence)
    if (categories) replaceCategories(statements, categories)
    if (categories) statements.advance.run('categories', sequence)
    if (tags) replaceTags(statements, tags)
    let filling = isFilling(database)
    if (filling && !fill) finishFill(database)
    filling = (filling && fill !== undefined) || (fill !== undefined && beginFill(database))
    let indexed = 0
    for (const row of rows) {
      pause()
      indexed = Math.max(indexed, writeProductRow(parts, row, filling))
    }
    parts.words.write(pause)
    statements.addRows.run(parts.added)
    parts.added = 0
    if (indexed > 0) statements.advance.run('words', indexed)
    if (parts.references > 0) statements.advance.run('references', parts.references)
    parts.references = 0
    for (const { sku, popularity, price_as_of, stock_as_of, sequence: at } of unlisted)
      statements.setUnlisted.run(popularity, price_as_of, stock_as_of, at, sku)
    if (filling && fill === 'last') finishFill(database)
    statements.advance.run('sequence', sequence)
  }

  return {
    apply(changes) {
      database.exec('BEGIN IMMEDIATE')
      try {
        write(changes)
        database.exec('COMMIT')
      } catch (error) {
        // If the disk is full, SQLite has already ended the transaction.
        if (database.isTransaction) database.exec('ROLLBACK')
        // Cached values may not be in the file.
        parts = createParts(database)
        throw error
      }
    },
  }
}

function createParts(database: DatabaseSync): ProductWriterParts {
  const statements = prepareMirrorStatements(database)
  const shared = createSharedValueWriter(database)
  return {
    statements,
    shared,
    vehicleWords: createVehicleWordReader(statements, shared),
    words: createWordChanges(database),
    added: 0,
    references: 0,
    indexProduct: createProductIndexer(createSharedValueReader(database), (word) => word),
  }
}
