import Type from 'typebox'
import { eventsSince } from '../../webhooks/list-events.ts'
import { unknownTypes } from '../../commands/webhooks/validate-subscription.ts'
import type { ValidationItem } from '../../contract/validation.ts'
import { EventList } from '../../contract/webhook.ts'
import { Invalid } from '../../errors.ts'
import { envelopeOf } from '../../webhooks/event-envelope.ts'
import { datetimeJudge } from '../../http/validation/datetime.ts'
import { locate } from '../../http/validation/validator.ts'
import { isEventId } from '../../storage/webhooks/events.ts'
import { plain, route } from '../../http/route.ts'
import { realmOf } from '../shoppers/shopper-response.ts'
import { ofWebhooks } from './webhook-response.ts'

const MOST_TYPES = 50

export const events = route({
  ...ofWebhooks,
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'The events of the last 30 days, the oldest first: for who would rather ask, or has missed some',
  input: {
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          maxLength: 64,
          description: 'next_since of the answer before; or an event id, to begin after it, or an instant in RFC 3339',
        }),
      ),
      types: Type.Optional(
        Type.Array(Type.String({ maxLength: 1_024 }), {
          maxItems: MOST_TYPES,
          description: 'As in a subscription: repeated, or separated by commas; all, when it is not said',
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
    }),
  },
  response: EventList,
  async answer({ query, ...question }) {
    const { db, now } = question.commerce
    const types = typesOf(query.types ?? [])
    const asked = { since: sinceOf(query.since), types, limit: query.limit }
    const { events: listed, hasMore, nextSince } = await eventsSince(db, realmOf(question), asked, now())
    return plain({ data: listed.map(envelopeOf), has_more: hasMore, next_since: nextSince, errors: [] })
  },
})

function typesOf(given: readonly string[]): string[] {
  const types = given.flatMap((list) => list.split(',')).map((type) => type.trim())
  const named = types.filter(Boolean)
  const mistakes = unknownTypes(named, ['query', 'types'])
  if (mistakes.length > 0) throw new Invalid(mistakes)
  return named
}

/** An event's id, or an instant as times are stored. */
function sinceOf(given: string | undefined): string | undefined {
  if (given === undefined || isEventId(given)) return given
  const items: ValidationItem[] = []
  const instant = datetimeJudge(given, items)
  locate(items, 0, 'since')
  locate(items, 0, 'query')
  if (items.length > 0) throw new Invalid(items)
  return new Date(instant as string).toISOString()
}
