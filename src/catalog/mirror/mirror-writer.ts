import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Category, Tag } from '../../ports/inventory.ts'
import type { Vehicle } from '../../ports/vehicle.ts'
import { foldText, isCorrectable } from '../search/words.ts'
import { beginFill, finishFill, isFilling } from './fill-mirror.ts'
import { type Fits, NO_FITS, readFits, writeFits } from './mirror-fits.ts'
import type { MirrorRow } from './mirror-row.ts'
import { type MirrorStatements, prepareMirrorStatements } from './mirror-statements.ts'
import { collectNumbers, collectWords, type NumberRow, toVehicleKey, type VehicleKeys } from './product-index.ts'

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
  /** The ids of vehicles that no longer exist. */
  removedVehicles?: readonly number[]
}

export interface MirrorWriter {
  /** Applies the changes in one transaction. Changes that are older than the file are ignored. */
  apply(changes: MirrorChanges): void
}

const MAX_SPELLINGS = 200_000
const MAX_VEHICLES = 200_000

interface StoredRow {
  id: number
  sequence: number
  words_digest: string
  numbers: string
  vehicles: string
}

export function createMirrorWriter(database: DatabaseSync): MirrorWriter {
  const statements = prepareMirrorStatements(database)

  function write(changes: MirrorChanges): void {
    const { sequence, rows = [], categories, tags, vehicles = [], removedVehicles = [], fill } = changes
    for (const vehicle of vehicles) writeVehicle(statements, vehicle)
    for (const id of removedVehicles) removeVehicle(statements, id)
    if (vehicles.length + removedVehicles.length > 0) statements.advance.run('vehicles', sequence)
    if (categories) replaceCategories(statements, categories)
    if (categories) statements.advance.run('categories', sequence)
    if (tags) replaceTags(statements, tags)
    let filling = isFilling(database)
    if (filling && !fill) finishFill(database)
    filling = (filling && fill !== undefined) || (fill !== undefined && beginFill(database))
    const words = Math.max(0, ...rows.map((row) => writeRow(statements, row, filling)))
    if (words > 0) statements.advance.run('words', words)
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
        database.exec('ROLLBACK')
        statements.spellings.clear()
        statements.vehicleKeys.clear()
        throw error
      }
    },
  }
}

function toColumns(row: MirrorRow, numbers: string, fits: Fits, words: string) {
  const { product, price, tax, availability } = row
  return [
    row.sequence,
    Number(product.active),
    foldText(product.name),
    product.slug,
    product.brand,
    JSON.stringify(product.categories.map(({ category_id }) => category_id)),
    JSON.stringify(product.tags),
    price ? Number(price.list_amount) : null,
    availability?.band ?? null,
    row.popularity,
    Number(row.universal),
    fits.universalDetails,
    JSON.stringify(product),
    toJson(price),
    row.price_as_of,
    toJson(tax),
    toJson(availability),
    row.stock_as_of,
    numbers,
    JSON.stringify(fits.runs),
    hash('sha1', words, 'base64'),
  ]
}

/** A part that was not read yet is NULL; one that does not exist is JSON `null`. */
const toJson = (part: object | null | undefined): string | null => (part === undefined ? null : JSON.stringify(part))

/** Returns the sequence number of the row if its words have changed, or 0. While a file is filled, other tables follow at the end. */
function writeRow(statements: MirrorStatements, row: MirrorRow, filling: boolean): number {
  const stored = statements.find.get(row.sku) as StoredRow | undefined
  if (stored && stored.sequence >= row.sequence) return 0
  const { active } = row.product
  const numbers = collectNumbers(row)
  const fits = active ? readFits(statements, row) : NO_FITS
  const words = active ? collectWords(row, numbers, readVehicleKeys(statements, row.vehicles)) : ''
  const numbersJson = JSON.stringify(numbers)
  const columns = toColumns(row, numbersJson, fits, words)
  const id = stored ? stored.id : Number(statements.insert.run(row.sku, ...columns).lastInsertRowid)
  if (stored) statements.update.run(...columns, id)
  if (!filling && (stored?.numbers ?? '[]') !== numbersJson) {
    writeNumbers(statements, id, numbers, stored)
    statements.advance.run('numbers', row.sequence)
  }
  if (!filling) writeFits(statements, id, fits.runs, stored)
  if (stored?.words_digest === columns.at(-1)) return 0
  writeWords(statements, id, words, filling, stored)
  return row.sequence
}

/** Vehicles come before the rows that refer to them, so that they can be kept in memory. */
function readVehicleKeys({ vehicle, vehicleKeys }: MirrorStatements, ids: readonly number[]): VehicleKeys[] {
  return ids.flatMap((id) => {
    const known = vehicleKeys.get(id) ?? (vehicle.get(id) as VehicleKeys | undefined)
    if (known && vehicleKeys.size < MAX_VEHICLES) vehicleKeys.set(id, known)
    return known ?? []
  })
}

function writeWords(
  statements: MirrorStatements,
  id: number,
  words: string,
  filling: boolean,
  stored?: StoredRow,
): void {
  if (words !== '') {
    // OR REPLACE makes FTS5 look for the row, which a new product does not have.
    if (stored) statements.reindex.run(id, words)
    else statements.index.run(id, words)
    if (!filling) writeSpellings(statements, words)
  } else if (stored) statements.unindex.run(id)
}

function writeSpellings({ addSpelling, spellings }: MirrorStatements, words: string): void {
  for (const word of words.split(' ')) {
    if (spellings.has(word) || !isCorrectable(word)) continue
    if (spellings.size >= MAX_SPELLINGS) spellings.clear()
    spellings.add(word)
    addSpelling.run(word)
  }
}

function writeNumbers(statements: MirrorStatements, id: number, numbers: NumberRow[], stored?: StoredRow): void {
  for (const [number, , , customer] of JSON.parse(stored?.numbers ?? '[]') as NumberRow[])
    statements.removeNumber.run(number, customer, id)
  for (const [number, kind, brand, customer, written] of numbers)
    statements.addNumber.run(number, id, kind, brand, customer, written)
}

function writeVehicle(statements: MirrorStatements, vehicle: Vehicle): void {
  const { vehicle_id, year, make, model, submodel, engine, market } = vehicle
  statements.vehicleKeys.delete(vehicle_id)
  const keys = [toVehicleKey(make), toVehicleKey(model)]
  statements.putVehicle.run(vehicle_id, year, make, model, ...keys, submodel, engine, market)
}

function removeVehicle(statements: MirrorStatements, id: number): void {
  statements.vehicleKeys.delete(id)
  statements.removeVehicle.run(id)
}

function replaceCategories(statements: MirrorStatements, categories: readonly Category[]): void {
  statements.clearCategories.run()
  for (const { category_id, name, slug, parent_id, position, product_count } of categories)
    statements.putCategory.run(category_id, name, slug, parent_id, position, product_count)
}

function replaceTags(statements: MirrorStatements, tags: readonly Tag[]): void {
  statements.clearTags.run()
  for (const { tag, name, count } of tags) statements.putTag.run(tag, name, count)
}
