import type { TSchema } from 'typebox'
import { ProblemBody } from '../../contract/common-schemas.ts'
import { pictureSizes } from '../../media/picture-url-signer.ts'

type Json = Record<string, unknown>

/** The document's entry of what `thumb_url` and `large_url` lead to. */
export function createPicturePathItem(collect: (schema: TSchema) => Json): Json {
  const answers = (description: string) => ({
    description,
    content: { 'application/json': { schema: collect(ProblemBody) } },
  })
  const text = (name: string, description: string, schema: Json = { type: 'string' }) => ({
    ...{ name, in: 'path', required: true, description, schema },
  })
  return {
    get: {
      operationId: 'picture',
      summary: 'A picture of a product, as WebP',
      description:
        'Addresses are made by Forecourt and given as `thumb_url` and `large_url`; no other is answered. What one of them answers never changes.',
      tags: ['Catalog'],
      security: [],
      parameters: [
        text('merchant', 'The merchant'),
        text('mode', 'Of the key that read the address', { type: 'string', enum: ['live', 'sandbox'] }),
        text('source', 'Which picture'),
        text('version', 'Which content of it, and a signature'),
        text('size', '160 or 800 pixels at the longer side', { type: 'string', enum: [...pictureSizes] }),
      ],
      responses: {
        200: { description: 'OK', content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } } },
        304: { description: 'Not modified: If-None-Match names the current ETag' },
        404: answers('There is no such picture, or it has another content, and address, by now'),
        500: answers('A fault here: quote request_id'),
        502: answers('The back office answered with an error, or with what is no picture'),
        503: answers('The back office cannot be reached or is being given time, or too many pictures are waiting'),
        504: answers('The back office did not answer in time'),
      },
    },
  }
}
