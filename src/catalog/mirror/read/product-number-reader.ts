import type { DatabaseSync } from 'node:sqlite'
import { normalizeNumber } from '../../../ports/normalize-number.ts'
import { NO_REFERENCES, type NumberMatch, type ReferenceKind, type SkuReferences } from '../../../ports/reference.ts'
import { createSnapshotReads } from '../file/snapshot-reads.ts'
import { NUMBER_KINDS, type StoredReference } from '../index/product-index-keys.ts'
import {
  findReplacement,
  listSharedNumbers,
  type RelatedNumber,
  relateReferences,
  toReference,
} from './relate-references.ts'

/** The numbers of products in the file of a mirror. Each read takes less than a few milliseconds, however many products share a number. */
export interface NumberMirror {
  /** `customerId`: includes this customer's own numbers. */
  references(sku: string, customerId: string | null): SkuReferences
  /** Returns the products that have a normalized number, and withdrawn ones by their SKU if another product replaces them. */
  productsByNumber(number: string, customerId: string | null): NumberMatch[]
}

/** A page that lists more numbers than this helps nobody. */
const MAX_REFERENCES = 200
const MAX_NAMING = 25
const MAX_SHARED = 12
const MAX_MATCHES = 50
const SKU = 0
const FIRST_REFERENCE = NUMBER_KINDS.indexOf('OEM')

/** Selects a row if the references of any product contain the number in parameter 2. */
export const SELECT_NAMING_NUMBER = `SELECT 1 FROM numbers WHERE number = ?2 AND customer_id = '' AND kind >= ${FIRST_REFERENCE}`

export function createNumberReader(database: DatabaseSync): NumberMirror {
  const inSnapshot = createSnapshotReads(database)
  // Most products have no references: one statement says so.
  const anyReference = database.prepare(
    `SELECT 1 FROM products WHERE sku = ?1 AND numbers <> '[]' UNION ALL ${SELECT_NAMING_NUMBER} LIMIT 1`,
  )
  const ofProduct = database.prepare('SELECT numbers FROM products WHERE sku = ?')
  const isActive = database.prepare('SELECT 1 FROM products WHERE sku = ? AND active = 1')
  // The limits are constants: a bound LIMIT makes SQLite prepare the statement again for each read.
  const skusByNumber = database.prepare(
    `SELECT sku FROM numbers JOIN products USING (id) WHERE number = ? AND customer_id = '' AND kind = ${SKU} LIMIT ${MAX_MATCHES}`,
  )
  const listNaming = prepareNumbered(database, MAX_NAMING)
  const listSharing = prepareNumbered(database, MAX_SHARED)
  const listMatching = prepareNumbered(database, MAX_MATCHES)

  const listOwn = (sku: string, customerId: string | null): RelatedNumber[] => {
    const row = ofProduct.get(sku) as { numbers: string } | undefined
    const isOwn = (customer: string) => customer === '' || customer === customerId
    return listStored(sku, row?.numbers ?? '[]', isOwn).slice(0, MAX_REFERENCES)
  }
  const listSkus = (number: string): string[] => (skusByNumber.all(number) as { sku: string }[]).map(({ sku }) => sku)

  function readReferences(sku: string, customerId: string | null): SkuReferences {
    const own = listOwn(sku, customerId)
    const others = listNaming(normalizeNumber(sku)).filter((row) => row.sku !== sku)
    if (own.length === 0 && others.length === 0) return NO_REFERENCES
    const shared = listSharedNumbers(own)
    const replacement = findReplacement({ own, naming: others })
    return relateReferences(sku, {
      own,
      naming: others,
      sharing: [...new Set(shared.map(({ number_key }) => number_key))].flatMap((key) => listSharing(key)),
      namedSkus: shared.map(({ number }) => number).filter((number) => isActive.get(number) !== undefined),
      successors: replacement ? listSkus(replacement.number_key) : [],
    })
  }

  return {
    references(sku, customerId) {
      if (!anyReference.get(sku, normalizeNumber(sku))) return NO_REFERENCES
      return inSnapshot(() => readReferences(sku, customerId))
    },
    productsByNumber(number, customerId) {
      const skus = listSkus(number)
      const own = customerId === null ? [] : listMatching(number, customerId)
      const replaced = skus
        .flatMap((sku) => listOwn(sku, null))
        .filter(({ kind }) => kind === 'SUPERSEDED_BY')
        .slice(0, MAX_MATCHES)
      return [
        ...skus.map((sku): NumberMatch => ({ sku, kind: 'SKU', brand: null, number: sku })),
        ...[...own, ...listMatching(number)].map((row) => ({ sku: row.sku, ...toReference(row) })),
        ...replaced.map((row): NumberMatch => ({ sku: row.number, kind: 'SUPERSEDES', brand: null, number: row.sku })),
      ]
    },
  }
}

/** Returns a function that lists the references with a normalized number. Without a customer, it lists those that are for everybody. */
function prepareNumbered(database: DatabaseSync, limit: number) {
  // Many products may have one number, such as "N/A": the limit comes before their rows are read.
  const statement = database.prepare(
    `SELECT sku, numbers FROM products WHERE id IN
       (SELECT id FROM numbers WHERE number = ? AND customer_id = ? AND kind >= ${FIRST_REFERENCE} LIMIT ${limit})`,
  )
  return (number: string, customerId = ''): RelatedNumber[] =>
    (statement.all(number, customerId) as { sku: string; numbers: string }[])
      .flatMap(({ sku, numbers }) => listStored(sku, numbers, (customer) => customer === customerId))
      .filter(({ number_key }) => number_key === number)
      .slice(0, limit)
      .sort((a, b) => (a.sku < b.sku ? -1 : 1))
}

/** Returns the references of a product that are of these customers. `numbers`: JSON. */
function listStored(sku: string, numbers: string, isOf: (customer: string) => boolean): RelatedNumber[] {
  const stored = JSON.parse(numbers) as StoredReference[]
  return stored
    .filter(([, , , customer = '']) => isOf(customer))
    .map(([kind, brand, number]) => ({
      sku,
      kind: NUMBER_KINDS[kind] as ReferenceKind,
      brand,
      brand_key: normalizeNumber(brand),
      number,
      number_key: normalizeNumber(number),
    }))
}
