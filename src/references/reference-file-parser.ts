import { hash } from 'node:crypto'
import type { FileFormat } from '../imports/file-format.ts'
import { createFileParser, type FileLimits } from '../imports/file-parser.ts'
import type { ImportParser } from '../imports/import-file.ts'
import type { FileSummary, ImportReport, InvalidLine } from '../imports/import-report.ts'
import type { ReferenceImportCounts } from '../storage/references/reference-imports.ts'
import type { DescriptionLine } from './description-line.ts'
import type { ReferenceLine } from './reference-line.ts'

/** A number of a SKU, or its description. */
export type ReferenceFileRow = ReferenceLine | DescriptionLine

export const isDescription = (row: ReferenceFileRow): row is DescriptionLine => 'description' in row

export interface ReferenceSummary extends FileSummary {
  counts: ReferenceImportCounts
}

export type ReferenceImportReport = ImportReport<ReferenceSummary>

export interface ReferenceFileParserParts {
  format: FileFormat<ReferenceFileRow[]>
  onBadLine(bad: InvalidLine): void
  limits?: FileLimits | undefined
}

/** Parses one file of references. A number that a SKU already has, however it is written, is a duplicate, and so is its second description. */
export function createReferenceFileParser({
  format,
  onBadLine,
  limits,
}: ReferenceFileParserParts): ImportParser<ReferenceFileRow, ReferenceSummary> {
  const known = new Set<string>()
  const skus = new Set<string>()
  const customers = new Set<string>()
  const described = new Set<string>()

  function isNew(row: ReferenceFileRow): boolean {
    if (!isDescription(row)) return isNewReference(row)
    if (described.has(row.sku)) return false
    described.add(row.sku)
    skus.add(row.sku)
    return true
  }

  function isNewReference(reference: ReferenceLine): boolean {
    const digest = digestOf(reference)
    if (known.has(digest)) return false
    known.add(digest)
    skus.add(reference.sku)
    if (reference.customer_id !== '') customers.add(reference.customer_id)
    return true
  }

  const parser = createFileParser<ReferenceFileRow[], ReferenceFileRow>({
    format,
    onBadLine,
    limits,
    toRows: (rows) => rows.filter(isNew),
  })
  return Object.assign(parser, {
    skus: () => skus.values(),
    summary: () => ({
      ...parser.fileSummary(),
      counts: { references: known.size, skus: skus.size, customers: customers.size, descriptions: described.size },
    }),
  })
}

/** Identifies a reference in few bytes, because a file may have millions. */
const digestOf = ({ sku, kind, number_key, brand_key, customer_id }: ReferenceLine): string =>
  hash('sha256', JSON.stringify([sku, kind, number_key, brand_key, customer_id]), 'base64').slice(0, 16)
