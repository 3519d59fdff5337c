import { isErrorCode } from '../../console/text/error-code-text.ts'

/** The ids that Forecourt gives, by how they begin. */
const idKinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^cart_/i, 'the id of a cart'],
  [/^key_/i, 'the id of an API key'],
  [/^inc_/i, 'the id of an incident'],
  [/^shp_/i, 'the id of a shopper account'],
  [/^whk_/i, 'the id of a webhook endpoint'],
  [/^evt_/i, 'the id of an event'],
]
/** `SO-200001`, `C-1001`, `BP-1001`, `200001`: few letters, then digits. */
const NUMBER = /^#?[A-Z]{0,4}[-_./]?\d{2,}[A-Z]?$/i

/** Something that was typed instead of the id of a request. */
export interface RecognizedId {
  kind: string
  /** A secret or a person's address, which no message repeats. */
  isSecret?: boolean
}

/** Returns what a text is by its form; `null`: it may be the id of a request. */
export function recognizeId(id: string): RecognizedId | null {
  if (/svc_/i.test(id)) return { kind: 'an API key', isSecret: true }
  if (/whsec_/i.test(id)) return { kind: 'a signing secret', isSecret: true }
  if (id.includes('@')) return { kind: 'an email address', isSecret: true }
  if (isErrorCode(id.toLowerCase())) return { kind: 'an error code' }
  const kind = idKinds.find(([pattern]) => pattern.test(id))?.[1]
  if (kind) return { kind }
  return NUMBER.test(id) ? { kind: 'the number of an order, a customer or a product' } : null
}
