import { ImportFieldError } from '../imports/import-errors.ts'
import { quoteValue } from '../imports/quote-value.ts'
import { parseNameField, parseSkuField } from '../imports/text-fields.ts'
import { normalizeNumber } from '../ports/normalize-number.ts'
import { type ReferenceKind, referenceKinds } from '../ports/reference.ts'
import type { ReferenceColumn } from './reference-columns.ts'

/** The content of one line: a number of a SKU. */
export interface ReferenceLine {
  sku: string
  sku_key: string
  kind: ReferenceKind
  /** Empty: none. */
  brand: string
  brand_key: string
  number: string
  number_key: string
  /** Empty, unless the kind is CUSTOMER. */
  customer_id: string
}

/** Parses one line. Throws ImportFieldError. */
export function parseReferenceLine(cell: (column: ReferenceColumn) => string): ReferenceLine {
  const line = toReferenceLine({
    sku: parseSkuField(cell('sku')),
    kind: parseKind(cell('kind')),
    brand: parseNameField('brand', cell('brand')),
    number: parseNameField('number', cell('number')),
    customer_id: parseNameField('customer', cell('customer')),
  })
  if (line.kind === 'CUSTOMER' && line.customer_id === '')
    throw new ImportFieldError('has no customer, which a CUSTOMER number needs')
  if (line.kind !== 'CUSTOMER' && line.customer_id !== '')
    throw new ImportFieldError(`customer must be empty: only a CUSTOMER number belongs to one, not ${line.kind}`)
  return line
}

/** Adds the keys. Throws ImportFieldError for a number that nobody could look up, and a product that replaces itself. */
export function toReferenceLine(
  reference: Pick<ReferenceLine, 'sku' | 'kind' | 'brand' | 'number' | 'customer_id'>,
): ReferenceLine {
  const { sku, kind, brand, number } = reference
  const line = {
    ...reference,
    sku_key: normalizeNumber(sku),
    brand_key: normalizeNumber(brand),
    number_key: normalizeNumber(number),
  }
  if (number === '') throw new ImportFieldError('has no number')
  if (line.number_key === '') throw new ImportFieldError(`number ${quoteValue(number)} has no letter or digit`)
  if (kind.startsWith('SUPERSEDE') && line.number_key === line.sku_key)
    throw new ImportFieldError(`number ${quoteValue(number)} is the SKU itself: a product cannot replace itself`)
  return line
}

function parseKind(cell: string): ReferenceKind {
  const name = cell
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
  const kind = referenceKinds.find((known) => known === name)
  if (kind) return kind
  throw new ImportFieldError(
    name === '' ? 'has no kind' : `kind ${quoteValue(cell.trim())} is none of ${referenceKinds.join(', ')}`,
  )
}
