import { type TObject, type TSchema, Type } from 'typebox'

/** One operation of the upstream protocol. Its id is its key in the list of operations. */
export interface Operation {
  method: 'GET' | 'POST'
  path: string
  summary: string
  params?: TObject
  query?: TObject
  body?: TObject
  response: TSchema
  /** The media type of a response that is a file, not JSON. */
  file?: 'image/*' | 'application/pdf'
}

/** The body of every error response. */
export const ErrorBody = Type.Object({ error: Type.String(), detail: Type.String() })

/** A file, sent with its type, and with `tag` as its ETag. */
export interface BinaryFile {
  tag: string
  type: string
  bytes: Uint8Array
}

export const binaryFileSchema = Type.Unsafe<BinaryFile>({ type: 'string', format: 'binary' })

export const healthOperation = {
  method: 'GET',
  path: '/health',
  summary: 'Checks that the system can respond.',
  response: Type.Object({ status: Type.Literal('ok') }),
} as const satisfies Operation
