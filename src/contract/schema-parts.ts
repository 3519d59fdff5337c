import Type, { type TSchema } from 'typebox'

export const Nullable = <S extends TSchema>(schema: S, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options)
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC' })
export const Day = Type.String({ format: 'date' })
