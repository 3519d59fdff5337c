import type { CsvColumns } from '../imports/csv-header.ts'

export const referenceColumns = {
  sku: 'the SKU, exactly as the inventory has it',
  brand: 'whose number it is, such as Toyota; may be empty',
  number: 'the number, with or without punctuation',
  kind: 'OEM, CROSS, SUPERSEDES, SUPERSEDED_BY or CUSTOMER',
  customer: 'only for CUSTOMER: the customer_id whose number it is',
} as const

export type ReferenceColumn = keyof typeof referenceColumns
export const referenceColumnNames = Object.keys(referenceColumns) as ReferenceColumn[]

/** The columns of a file of references. */
export const referenceCsvColumns: CsvColumns<ReferenceColumn> = {
  names: referenceColumnNames,
  aliases: {
    part: 'sku',
    part_number: 'sku',
    reference: 'number',
    type: 'kind',
    customer_id: 'customer',
  },
  findMistake(hasColumn) {
    const missing = (['sku', 'number', 'kind'] as const).filter((column) => !hasColumn(column))
    return missing.length > 0 ? `the header line has no column ${missing.join(', ')}` : null
  },
}
