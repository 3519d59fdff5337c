import type { TSchema } from 'typebox'

/** The keywords that limit the size of a value. */
interface SizedSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: SizedSchema[]
  items?: SizedSchema
  properties?: Record<string, SizedSchema>
  maxItems?: number
  maxLength?: number
}

/** A character beyond U+FFFF as two escapes: `\ud83d\ude00`. */
const BYTES_PER_CHARACTER = 12
/** The line break, indentation and punctuation of a value. */
const LAYOUT_BYTES = 16
/** A number may be sent as a text, or with zeros. */
const SCALAR_BYTES = 64
/** The length of texts that only a pattern or a format limits, and of the longest id that a back office has. */
const DEFAULT_LENGTH = 128
/** The bytes allowed for members that are ignored. */
const MIN_KIB = 4

/** Returns the size limit of a request body: that of the largest JSON that its schema allows, with all characters escaped, in whole KiB. */
export const toBodyLimitKib = (schema: TSchema): number =>
  Math.max(MIN_KIB, Math.ceil(largestJsonBytes(schema as SizedSchema) / 1_024))

function largestJsonBytes(schema: SizedSchema): number {
  const { type, enum: values, anyOf, items = {}, properties = {}, maxItems = 0, maxLength = DEFAULT_LENGTH } = schema
  const literals = values ?? (schema.const === undefined ? [] : [schema.const])
  if (literals.length > 0) return Math.max(...literals.map((value) => textBytes(String(value).length)))
  if (anyOf) return Math.max(...anyOf.map(largestJsonBytes))
  if (type === 'array') return LAYOUT_BYTES + maxItems * largestJsonBytes(items)
  if (type === 'object')
    return Object.entries(properties).reduce(
      (bytes, [name, member]) => bytes + textBytes(name.length) + largestJsonBytes(member),
      LAYOUT_BYTES,
    )
  return type === 'string' ? textBytes(maxLength) : SCALAR_BYTES
}

const textBytes = (length: number) => LAYOUT_BYTES + length * BYTES_PER_CHARACTER
