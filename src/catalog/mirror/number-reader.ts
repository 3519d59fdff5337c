import type { DatabaseSync } from 'node:sqlite'
import { type NumberMatch, normalizeNumber, type ReferenceKind, type SkuReferences } from '../../ports/reference.ts'
import type { NumberRow } from './product-index.ts'
import {
  findReplacement,
  listSharedNumbers,
  type RelatedNumber,
  relateReferences,
  toReference,
} from './reference-relations.ts'

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
/** Rows of one number that are read: "N/A" may be the number of a hundred thousand products. */
const MAX_READ = 1_000
const OWN_KINDS: readonly string[] = ['SKU', 'MPN', 'BARCODE']

interface FoundNumber {
  sku: string
  kind: string
  brand: string
  written: string
}

export function createNumberReader(database: DatabaseSync): NumberMirror {
  const ofProduct = database.prepare('SELECT numbers FROM products WHERE sku = ?')
  const isActive = database.prepare('SELECT 1 FROM products WHERE sku = ? AND active = 1')
  const named = (isSku: boolean) =>
    database.prepare(
      `SELECT products.sku, kind, found.brand, written FROM
         (SELECT id, kind, brand, written FROM numbers WHERE number = ? AND customer_id = ? LIMIT ${MAX_READ}) AS found
       CROSS JOIN products ON products.id = found.id
       WHERE kind ${isSku ? `= 'SKU'` : `NOT IN ('SKU', 'MPN', 'BARCODE')`} LIMIT ?`,
    )
  const [skusByNumber, referencesByNumber] = [named(true), named(false)]

  const listOwn = (sku: string, customerId: string | null): RelatedNumber[] => {
    const row = ofProduct.get(sku) as { numbers: string } | undefined
    const numbers = JSON.parse(row?.numbers ?? '[]') as NumberRow[]
    return numbers
      .filter(([, kind, , customer]) => !OWN_KINDS.includes(kind) && (customer === '' || customer === customerId))
      .slice(0, MAX_REFERENCES)
      .map(([number, kind, brand, , written]) => toRelated(number, { sku, kind, brand, written }))
  }
  const listNumbered = (number: string, customerId: string, limit: number): RelatedNumber[] => {
    const rows = referencesByNumber.all(number, customerId, limit) as unknown as FoundNumber[]
    return rows.map((row) => toRelated(number, row)).sort((a, b) => (a.sku < b.sku ? -1 : 1))
  }
  const listSkus = (number: string): string[] =>
    (skusByNumber.all(number, '', MAX_MATCHES) as unknown as FoundNumber[]).map(({ sku }) => sku)

  return {
    references(sku, customerId) {
      const own = listOwn(sku, customerId)
      const naming = listNumbered(normalizeNumber(sku), '', MAX_NAMING).filter((row) => row.sku !== sku)
      const shared = listSharedNumbers(own)
      const replacement = findReplacement({ own, naming })
      return relateReferences(sku, {
        own,
        naming,
        sharing: [...new Set(shared.map(({ number_key }) => number_key))].flatMap((key) =>
          listNumbered(key, '', MAX_SHARED),
        ),
        namedSkus: shared.map(({ number }) => number).filter((number) => isActive.get(number) !== undefined),
        successors: replacement ? listSkus(replacement.number_key) : [],
      })
    },
    productsByNumber(number, customerId) {
      const skus = listSkus(number)
      const own = customerId === null ? [] : listNumbered(number, customerId, MAX_MATCHES)
      const replaced = skus
        .flatMap((sku) => listOwn(sku, null))
        .filter(({ kind }) => kind === 'SUPERSEDED_BY')
        .slice(0, MAX_MATCHES)
      return [
        ...skus.map((sku): NumberMatch => ({ sku, kind: 'SKU', brand: null, number: sku })),
        ...[...own, ...listNumbered(number, '', MAX_MATCHES)].map((row) => ({ sku: row.sku, ...toReference(row) })),
        ...replaced.map((row): NumberMatch => ({ sku: row.number, kind: 'SUPERSEDES', brand: null, number: row.sku })),
      ]
    },
  }
}

const toRelated = (number: string, { sku, kind, brand, written }: FoundNumber): RelatedNumber => ({
  sku,
  kind: kind as ReferenceKind,
  brand,
  brand_key: normalizeNumber(brand),
  number: written,
  number_key: number,
})
