import { parseTextField } from '../imports/text-fields.ts'

/** The description of a SKU. */
export interface DescriptionLine {
  sku: string
  description: string
}

const MAX_LENGTH = 10_000

/** Throws ImportFieldError for a text that is too long or has control characters. */
export const toDescriptionLine = (sku: string, text: string): DescriptionLine => ({
  sku,
  description: parseTextField('Description', text.normalize('NFC'), MAX_LENGTH),
})
