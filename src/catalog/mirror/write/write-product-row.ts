import type { SQLInputValue } from 'node:sqlite'
import { BANDS, NO_BAND } from '../../search/columns/product-columns.ts'
import type { SharedValueWriter } from '../../search/columns/shared-values.ts'
import { foldText, isAscii } from '../../search/words/tokenizer.ts'
import { MirrorDamageError, OTHER_IDS_DAMAGE } from '../file/mirror-damage.ts'
import type { MirrorRow } from '../file/mirror-row.ts'
import { packProduct } from '../file/packed-product.ts'
import {
  INDEX_INPUTS,
  type IndexedColumns,
  type IndexInputs,
  listReplacements,
  listWords,
  type ProductIndexKeys,
  toStoredReferences,
} from '../index/product-index-keys.ts'
import type { WordChanges } from '../index/word-changes.ts'
import { NO_STORED_FITMENT, type StoredFitment, toStoredFitment } from '../vehicles/stored-fitment.ts'
import { type MirrorStatements, WRITTEN_COLUMNS } from './mirror-statements.ts'
import type { VehicleWriterParts } from './write-vehicle-rows.ts'

/** The state of a transaction that writes products. */
export interface ProductWriterParts extends VehicleWriterParts {
  shared: SharedValueWriter
  words: WordChanges
  /** The rows that the transaction has added. */
  added: number
  /** The newest sequence number of a row in the transaction that may change the references of other products; 0: none. */
  references: number
  indexProduct: (columns: IndexInputs) => ProductIndexKeys
}

/** The columns on which the references of other products depend. */
const REFERENCE_INPUTS = ['sku', 'active', 'numbers'] as const satisfies (keyof IndexInputs)[]
const NOT_INDEXED: ProductIndexKeys = { numbers: [], words: [] }
interface StoredRow extends IndexInputs {
  id: number
  sequence: number
}

/** The columns by which a product is found. A withdrawn one is found by its SKU alone, and only if another product replaces it. */
function toIndexedColumns(
  row: MirrorRow,
  fitment: StoredFitment,
  { shared, vehicleWords }: ProductWriterParts,
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

/** Writes a product, unless the file has a newer version of it. Returns the sequence number of the row if its words or numbers have changed, or 0. While a file is being filled, words and numbers are written at the end. */
export function writeProductRow(parts: ProductWriterParts, row: MirrorRow, filling: boolean): number {
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
  { statements, words }: ProductWriterParts,
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
