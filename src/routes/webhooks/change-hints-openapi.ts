import Type, { type TSchema } from 'typebox'
import { ProblemBody } from '../../contract/common-schemas.ts'
import { HTTPValidationError } from '../../contract/validation.ts'
import { systems } from '../../ports/system.ts'

type Json = Record<string, unknown>

const Accepted = Type.Object({ accepted: Type.Literal(true) }, { $id: 'HintAccepted' })

/** The document's entry of a call that is no storefront's. */
export function createChangeHintPathItem(collect: (schema: TSchema) => Json): Json {
  const answers = (description: string, schema: TSchema) => ({
    description,
    content: { 'application/json': { schema: collect(schema) } },
  })
  const text = (
    name: string,
    place: string,
    description: string,
    required: boolean,
    schema: Json = { type: 'string' },
  ) => ({
    ...{ name, in: place, required, description, schema },
  })
  return {
    post: {
      operationId: 'hintOfChanges',
      summary: 'A back office’s hint that something changed there',
      description:
        'Wakes the change feed of that system early. Signed with the merchant’s hook_secret, as here or by the headers of Standard Webhooks. What it says is not read.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        text('merchant', 'path', 'The merchant', true),
        text('system', 'path', 'Which system changed', true, { type: 'string', enum: [...systems] }),
        text('mode', 'query', 'Both, when it is not said', false, { type: 'string', enum: ['live', 'sandbox'] }),
        text('X-Service-Signature', 'header', 'sha256= and the hex HMAC-SHA256 of the body', false),
      ],
      responses: {
        202: answers('It will be looked at', Accepted),
        401: answers('Not signed with the merchant’s secret, or no such merchant', ProblemBody),
        404: answers('There is no such system', ProblemBody),
        413: answers('The body is larger than 64 KiB', ProblemBody),
        422: answers('The request does not fit', { ...HTTPValidationError, $id: 'HTTPValidationError' } as TSchema),
        500: answers('A fault here: quote request_id', ProblemBody),
        503: answers('The store cannot be reached', ProblemBody),
      },
    },
  }
}
