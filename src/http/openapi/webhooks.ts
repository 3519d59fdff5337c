import { eventSchemas } from '../../contract/events/event-schemas.ts'
import type { CollectSchema } from './collect-schema.ts'
import { readEventExample } from './examples.ts'
import type { JsonObject } from './json-object.ts'

/** Returns the requests that Forecourt sends to subscribed endpoints: one for each type of event. Yields after each one, so that other work can run. */
export function* createWebhooks(collect: CollectSchema): Generator<undefined, JsonObject> {
  const webhooks: JsonObject = {}
  for (const [type, schema] of eventSchemas) {
    webhooks[type] = { post: createDelivery(type, collect(schema)) }
    yield
  }
  return webhooks
}

const createDelivery = (type: string, schema: JsonObject): JsonObject => ({
  operationId: `on${collectName(schema)}`,
  summary: `The event ${type}`,
  description:
    'Signed with the secret of the subscription. Verify a signature over the raw bytes of the body before you parse it. Ignore members that you do not know.',
  tags: ['Webhooks'],
  security: [],
  parameters: deliveryHeaders,
  requestBody: {
    required: true,
    content: { 'application/json': { schema, example: readEventExample(type) } },
  },
  responses: {
    '2XX': { description: 'The event was received. The body is ignored' },
    410: { description: 'The endpoint no longer exists: the subscription is disabled' },
    '4XX': { description: 'Not received: Forecourt tries again on a schedule' },
  },
})

const collectName = (reference: JsonObject): string => String(reference.$ref).replace(/^.*\//, '')

const header = (name: string, description: string, schema: JsonObject = { type: 'string' }): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
})

const deliveryHeaders: readonly JsonObject[] = [
  header('webhook-id', 'The id of the event'),
  header('webhook-timestamp', 'The time of this attempt in Unix seconds'),
  header('webhook-signature', 'Standard Webhooks: v1, and a base64 HMAC-SHA256; two during a rotation of the secret'),
  header('X-Service-Event', 'The type of the event'),
  header('X-Service-Delivery', 'Identifies the delivery: the same in each attempt'),
  header('X-Service-Attempt', 'The number of the attempt, from 1', { type: 'integer', minimum: 1 }),
  header('X-Service-Signature', 'sha256= and the hex HMAC-SHA256 of the body'),
]
