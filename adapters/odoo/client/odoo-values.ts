import { type Static, type TSchema, Type } from 'typebox'

/** Odoo sends `false` for a text, a date or a link that is empty. */
export const emptyOr = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Literal(false)])
export const OdooText = emptyOr(Type.String())
export const OdooId = Type.Integer()
export const OdooIds = Type.Array(OdooId)
/** A link in a nested read without fields. */
export const OdooLink = emptyOr(OdooId)
/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export const OdooDatetime = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d' })
export type OdooText = Static<typeof OdooText>

/** Returns a text, or `null` for an empty one. */
export const toText = (value: OdooText | undefined): string | null => value || null

export const toEpochMs = (value: string): number => Date.parse(`${value.replace(' ', 'T')}Z`)

export const toIsoTime = (value: string): string => new Date(toEpochMs(value)).toISOString()

/** Returns a time as Odoo compares it: in whole seconds, rounded down, because it stores fractions but reads none. */
export const toOdooDatetime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/**
 * Returns the first whole second from a time on. A record without its fraction changed at or after the time only if it
 * changed then: what changed earlier in the same second would be read again for ever, to be left out each time.
 */
export const toFirstOdooSecond = (ms: number): string => toOdooDatetime(Math.ceil(ms / 1_000) * 1_000)

/** Returns the id of a customer, an order or an invoice; `null` for text that cannot be an id of Odoo. */
export const parseRecordId = (text: string): number | null => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)

/** Returns a text without the characters that have a meaning in `like` and `ilike`. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')
