import { type TSchema, Type } from 'typebox'

export const nullableSchema = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A decimal number as a string, so that no client parses it as a binary fraction. */
export const decimalSchema = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })

/** An amount or quantity that is 0 or more. */
export const amountSchema = () => Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$' })

export const timestampSchema = () => Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

export const dateSchema = () => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

export const idSchema = (maxLength = 128) => Type.String({ minLength: 1, maxLength })

export const textSchema = (maxLength: number) => Type.String({ maxLength })

export const enumSchema = <const T extends string>(...values: T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))

/** A page of rows, with the number of all matching rows. */
export const pageSchema = <T extends TSchema>(row: T) =>
  Type.Object({ data: Type.Array(row), total: Type.Integer(), has_more: Type.Boolean() })

export const skuListSchema = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 200 })

export const pagingProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
}

/** The query of every change feed. */
export const changeQuerySchema = Type.Object({
  since: Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
    description: 'RFC 3339, inclusive, by the clock of the system that is called.',
  }),
  ...pagingProperties,
  cursor: Type.Optional(
    Type.String({
      description: 'The next_cursor of the previous page. It replaces offset, and no row is missed or repeated.',
    }),
  ),
})

export const changePageSchema = <T extends TSchema>(row: T) =>
  Type.Object({
    data: Type.Array(row),
    has_more: Type.Boolean(),
    next_cursor: Type.Optional(
      Type.String({ description: 'Continues after this page. Without it, Forecourt reads the next page by offset.' }),
    ),
  })

/** The last sentences of every change feed's summary. */
export const CHANGE_ORDER =
  'In the order (updated_at, id), oldest change first. A change is visible here within 5 seconds of its updated_at.'
