import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Category, Tag } from '../../../ports/inventory.ts'
import type { Vehicle } from '../../../ports/vehicle.ts'
import { BANDS, NO_BAND } from '../../search/columns/product-columns.ts'
import {
  createSharedValueReader,
  createSharedValueWriter,
  type SharedValueWriter,
} from '../../search/columns/shared-values.ts'
import { foldText, isAscii } from '../../search/words/tokenizer.ts'
import { MirrorDamageError, OTHER_IDS_DAMAGE } from '../file/mirror-damage.ts'
import type { MirrorRow, UnlistedProductChange } from '../file/mirror-row.ts'
import { packProduct } from '../file/packed-product.ts'
import {
  createProductIndexer,
  INDEX_INPUTS,
  type IndexedColumns,
  type IndexInputs,
  listReplacements,
  listWords,
  type ProductIndexKeys,
  toStoredReferences,
} from '../index/product-index-keys.ts'
import { createWordChanges, type WordChanges } from '../index/word-changes.ts'
import { NO_STORED_FITMENT, type StoredFitment, toStoredFitment } from '../vehicles/stored-fitment.ts'
import { createVehicleWordReader } from '../vehicles/vehicle-word-reader.ts'
import { beginFill, finishFill, isFilling } from './fill-state.ts'
import { type MirrorStatements, prepareMirrorStatements, WRITTEN_COLUMNS } from './mirror-statements.ts'
import { replaceCategories, replaceTags } from './replace-categories-and-tags.ts'
import { removeVehicle, type VehicleWriterParts, writeVehicle } from './write-vehicle-rows.ts'

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
  unlisted?: readonly UnlistedProductChange[]
  /** The ids of vehicles that no longer exist. */
  removedVehicles?: readonly number[]
}

export interface MirrorWriter {
  /** Applies the changes in one transaction. Changes that are older than the file are ignored. */
  apply(changes: MirrorChanges): void
}

/** The columns on which the references of other products depend. */
const REFERENCE_INPUTS = ['sku', 'active', 'numbers'] as const satisfies (keyof IndexInputs)[]
const NOT_INDEXED: ProductIndexKeys = { numbers: [], words: [] }
interface StoredRow extends IndexInputs {
  id: number
  sequence: number
}

interface WriterParts extends VehicleWriterParts {
  shared: SharedValueWriter
  words: WordChanges
  /** The rows that the transaction has added. */
  added: number
  /** The newest sequence number of a row in the transaction that may change the references of other products; 0: none. */
  references: number
  indexProduct: (columns: IndexInputs) => ProductIndexKeys
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
      indexed = Math.max(indexed, writeRow(parts, row, filling))
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

function createParts(database: DatabaseSync): WriterParts {
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

/** The columns by which a product is found. A withdrawn one is found by its SKU alone, and only if another product replaces it. */
function toIndexedColumns(
  row: MirrorRow,
  fitment: StoredFitment,
  { shared, vehicleWords }: WriterParts,
): IndexedColumns {
  const { active } = row.product
  return {
    ...packProduct(row, shared),
    numbers: JSON.stringify(toStoredReferences(active ? row.references : listReplacements(row.references))),
    vehicles: JSON.stringify(fitment.runs),
    vehicle_names: JSON.stringify(active ? vehicleWords.wordsOf(row.vehicles) : []),
  }
}

function toOtherColumns(row: MirrorRow, { universalDetails }: StoredFitment) {
  const { product, price, availability } = row
  return {
    sequence: row.sequence,
    name_key: isAscii(product.name) ? null : foldText(product.name),
    list_price: price ? Number(price.list_amount) : null,
    band: availability ? BANDS.indexOf(availability.band) : NO_BAND,
    popularity: row.popularity,
    universal: Number(row.universal),
    universal_details: universalDetails,
  }
}

/** Returns the sequence number of the row if its words or numbers have changed, or 0. While a file is filled, these follow at the end. */
function writeRow(parts: WriterParts, row: MirrorRow, filling: boolean): number {
  const { statements, shared, indexProduct } = parts
  const stored = statements.find.get(row.sku) as unknown as StoredRow | undefined
  if (stored && stored.sequence >= row.sequence) return 0
  if (stored && row.ordinal !== undefined && row.ordinal !== stored.id) throw new MirrorDamageError(OTHER_IDS_DAMAGE)
  const fitment = row.product.active ? toStoredFitment(row, shared) : NO_STORED_FITMENT
  const indexed = toIndexedColumns(row, fitment, parts)
  const columns = { ...indexed, ...toOtherColumns(row, fitment) }
  const values = WRITTEN_COLUMNS.map((name) => columns[name])
  const { lastInsertRowid } = stored
    ? statements.update.run(...values)
    : insertRow(statements, row.ordinal ?? null, values)
  if (!stored) parts.added += 1
  if (REFERENCE_INPUTS.some((name) => stored?.[name] !== indexed[name]))
    parts.references = Math.max(parts.references, row.sequence)
  if (filling || (stored && INDEX_INPUTS.every((name) => stored[name] === indexed[name]))) return 0
  const id = stored ? stored.id : Number(lastInsertRowid)
  const [before, after] = [stored ? indexProduct(stored) : NOT_INDEXED, indexProduct(indexed)]
  return writeIndex(parts, id, before, after) ? row.sequence : 0
}

const ID_IS_TAKEN = 'UNIQUE constraint failed: products.id'

function insertRow({ insert }: MirrorStatements, ordinal: number | null, values: readonly SQLInputValue[]) {
  try {
    return insert.run(ordinal, ...values)
  } catch (error) {
    throw (error as Error).message === ID_IS_TAKEN ? new MirrorDamageError(OTHER_IDS_DAMAGE, { cause: error }) : error
  }
}

/** Returns false if nothing has changed. */
function writeIndex(
  { statements, words }: WriterParts,
  id: number,
  before: ProductIndexKeys,
  after: ProductIndexKeys,
): boolean {
  const [oldWords, newWords] = [listWords(before), listWords(after)]
  const [gone, added] = [oldWords.difference(newWords), newWords.difference(oldWords)]
  for (const word of gone) words.remove(word, id)
  for (const word of added) words.add(word, id)
  const hasOtherNumbers = JSON.stringify(before.numbers) !== JSON.stringify(after.numbers)
  if (hasOtherNumbers) {
    for (const number of before.numbers) statements.removeNumber.run(...number, id)
    for (const number of after.numbers) statements.addNumber.run(...number, id)
  }
  return hasOtherNumbers || gone.size + added.size > 0
}
