import { hash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Category, Tag } from '../../ports/inventory.ts'
import type { Vehicle } from '../../ports/vehicle.ts'
import { foldText, isCorrectable } from '../search/words.ts'
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
}

export interface MirrorWriter {
  /** Applies the changes in one transaction. Changes that are older than the file are ignored. */
  apply(changes: MirrorChanges): void
}

const MAX_SPELLINGS = 200_000

interface StoredRow {
  id: number
  sequence: number
  words_digest: string
  numbers: string
  vehicles: string
}

export function createMirrorWriter(database: DatabaseSync): MirrorWriter {
  const statements = prepareMirrorStatements(database)
  return {
    apply({ sequence, rows = [], categories, tags, vehicles = [] }) {
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const vehicle of vehicles) writeVehicle(statements, vehicle)
        if (vehicles.length > 0) statements.advance.run('vehicles', sequence)
        if (categories) replaceCategories(statements, categories)
        if (categories) statements.advance.run('categories', sequence)
        if (tags) replaceTags(statements, tags)
        for (const row of rows) writeRow(statements, row)
        statements.advance.run('sequence', sequence)
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
  }
}

function toColumns(row: MirrorRow, numbers: string, vehicles: string, words: string) {
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
    JSON.stringify(product),
    toJson(price),
    row.price_as_of,
    toJson(tax),
    toJson(availability),
    row.stock_as_of,
    numbers,
    vehicles,
    hash('sha1', words, 'base64'),
  ]
}

/** A part that was not read yet is NULL; one that does not exist is JSON `null`. */
const toJson = (part: object | null | undefined): string | null => (part === undefined ? null : JSON.stringify(part))

function writeRow(statements: MirrorStatements, row: MirrorRow): void {
  const stored = statements.find.get(row.sku) as StoredRow | undefined
  if (stored && stored.sequence >= row.sequence) return
  const { active } = row.product
  const numbers = active ? collectNumbers(row) : []
  const vehicles = active ? row.vehicles : []
  const words = active ? collectWords(row, readVehicleKeys(statements, vehicles)) : ''
  const columns = toColumns(row, JSON.stringify(numbers), JSON.stringify(vehicles), words)
  const id = stored ? stored.id : Number(statements.insert.run(row.sku, ...columns).lastInsertRowid)
  if (stored) statements.update.run(...columns, id)
  writeWords(statements, id, row.sequence, words, columns.at(-1) as string, stored)
  writeNumbers(statements, id, numbers, stored)
  writeFits(statements, id, vehicles, stored)
}

function readVehicleKeys({ vehicle }: MirrorStatements, ids: readonly number[]): VehicleKeys[] {
  return ids.flatMap((id) => (vehicle.get(id) as VehicleKeys | undefined) ?? [])
}

function writeWords(
  statements: MirrorStatements,
  id: number,
  sequence: number,
  words: string,
  digest: string,
  stored?: StoredRow,
): void {
  if (stored?.words_digest === digest) return
  if (words !== '') {
    statements.index.run(id, words)
    writeSpellings(statements, words)
  } else if (stored) statements.unindex.run(id)
  statements.advance.run('words', sequence)
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
  if (stored?.numbers === JSON.stringify(numbers)) return
  for (const [number] of JSON.parse(stored?.numbers ?? '[]') as NumberRow[]) statements.removeNumber.run(number, id)
  for (const [number, kind, brand, customer, written] of numbers)
    statements.addNumber.run(number, id, kind, brand, customer, written)
}

function writeFits(statements: MirrorStatements, id: number, vehicles: readonly number[], stored?: StoredRow): void {
  const before = new Set<number>(JSON.parse(stored?.vehicles ?? '[]'))
  for (const vehicle of vehicles) if (!before.delete(vehicle)) statements.addFit.run(vehicle, id)
  for (const vehicle of before) statements.removeFit.run(vehicle, id)
}

function writeVehicle(statements: MirrorStatements, vehicle: Vehicle): void {
  const { vehicle_id, year, make, model } = vehicle
  statements.putVehicle.run(
    vehicle_id,
    year,
    make,
    model,
    toVehicleKey(make),
    toVehicleKey(model),
    JSON.stringify(vehicle),
  )
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
