import { type TObject, type TSchema, Type } from 'typebox'

/** One call of the documented upstream protocol. Its id is the key that it is listed under. */
export interface Operation {
  method: 'GET' | 'POST'
  path: string
  summary: string
  params?: TObject
  query?: TObject
  body?: TObject
  answer: TSchema
  /** The answer is a file, not JSON. */
  file?: true
}

export const nullableSchema = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A decimal number as a string, so that no reader makes a binary fraction of it. */
export const decimalSchema = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$' })

/** An amount or quantity that is 0 or more. */
export const amountSchema = () => Type.String({ pattern: '^\\d{1,15}(\\.\\d{1,10})?$' })

export const timestampSchema = () => Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })

export const dateSchema = () => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })

export const idSchema = (maxLength = 128) => Type.String({ minLength: 1, maxLength })

export const textSchema = (maxLength: number) => Type.String({ maxLength })

export const enumSchema = <const T extends string>(...values: T[]) =>
  Type.Unsafe<T>(Type.Union(values.map((value) => Type.Literal(value))))

/** A page of rows: all that match, and whether there are more after it. */
export const pageSchema = <T extends TSchema>(row: T) =>
  Type.Object({ data: Type.Array(row), total: Type.Integer(), has_more: Type.Boolean() })

export const skuListSchema = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 200 })

export const pagingProperties = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
  offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
}

/** Every answer below 200..299 is this. */
export const ErrorBody = Type.Object({ error: Type.String(), detail: Type.String() })

/** A file as it is kept; sent with its type, and `tag` as its ETag. */
export interface BinaryFile {
  tag: string
  type: string
  bytes: Uint8Array
}

export const binaryFileSchema = Type.Unsafe<BinaryFile>({ type: 'string', format: 'binary' })

export const healthOperation = {
  method: 'GET',
  path: '/health',
  summary: 'Whether the system can answer.',
  answer: Type.Object({ status: Type.Literal('ok') }),
} as const satisfies Operation
