import type { UnparsedBody } from '../body/read-body.ts'

/** In UTF-16, one byte of each ASCII character is zero. No JSON begins with a NUL, or has one as its second character. */
const UTF_16 = /^.?\0/s

/** Returns a text for the header `Forecourt-Hint` about a body of JSON in another character encoding than UTF-8, or `undefined`. */
export function hintAtBodyEncoding(body: UnparsedBody | undefined): string | undefined {
  if (body?.kind !== 'json') return undefined
  if (body.text === '') return 'The bytes of the body are not UTF-8. Send JSON in UTF-8.'
  return UTF_16.test(body.text) ? 'The body is UTF-16. Send JSON in UTF-8.' : undefined
}
