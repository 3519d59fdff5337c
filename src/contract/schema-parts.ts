import Type, { type TSchema } from 'typebox'
import { modes } from '../tenant.ts'

export const Nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })
export const ModeSchema = Type.Enum([...modes], { $id: 'Mode', description: 'The mode of the API key' })
export const Day = Type.String({ format: 'date' })

/** Marks a member whose values or format a command checks, together with what no schema can check, so that one response has all mistakes. */
export const checkedLater = { 'x-checked-later': true }

/** Texts that pydantic reads as seconds, or milliseconds, since 1970. */
export const EPOCH_PATTERN = '^[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?$'

/** A time that a client sends, as RFC 3339 or a date. Numbers are refused. */
export const RequestTime = (description: string) =>
  Type.String({ format: 'date-time', not: { pattern: EPOCH_PATTERN }, description })
