import { type Mistake, mistake } from './mistake.ts'

const text = JSON.stringify({ sku: 'BP-1001', quantity: 1, note: 'café' })
const lines = 'POST /v1/carts/CART/lines'

/** Bodies in another character encoding, and ones that are too large. */
export const bodyEncodingMistakes: readonly Mistake[] = [
  mistake(
    'a body in Latin-1',
    'shop',
    lines,
    { body: Buffer.from(text, 'latin1') },
    [422, 'json_invalid'],
    ['body.0: JSON decode error', 'Forecourt-Hint: The bytes of the body are not UTF-8. Send JSON in UTF-8.'],
  ),
  mistake(
    'a body in UTF-16 with a byte order mark',
    'shop',
    lines,
    { body: Buffer.from(`\ufeff${text}`, 'utf16le') },
    [422, 'json_invalid'],
    ['body.0: JSON decode error', 'Forecourt-Hint: The bytes of the body are not UTF-8. Send JSON in UTF-8.'],
  ),
  mistake(
    'a body in UTF-16',
    'shop',
    lines,
    { body: Buffer.from('{"sku": "BP-1001"}', 'utf16le') },
    [422, 'json_invalid'],
    ['body.1: JSON decode error', 'Forecourt-Hint: The body is UTF-16. Send JSON in UTF-8.'],
  ),
  mistake(
    'a body in UTF-16 of the other byte order',
    'shop',
    lines,
    { body: Buffer.from('{"sku": "BP-1001"}', 'utf16le').swap16() },
    [422, 'json_invalid'],
    ['body.0: JSON decode error', 'Forecourt-Hint: The body is UTF-16. Send JSON in UTF-8.'],
  ),
  mistake(
    'a body in UTF-8 with a byte order mark',
    'shop',
    'POST /v1/carts/SPARE/lines',
    { body: `\ufeff{"sku": "BP-1001", "quantity": 1}` },
    [200],
    [],
  ),
  mistake(
    'a body that is too large',
    'shop',
    'POST /v1/carts/CART/promotions',
    { body: { code: 'A'.repeat(4_096) } },
    [413, 'payload_too_large'],
    'The request body is larger than 4 KiB, the limit of this call. Split a long list into several calls, and omit members that the call does not have.',
  ),
]
