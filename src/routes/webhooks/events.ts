import Type from 'typebox'
import { findUnknownEventTypes } from '../../commands/webhooks/validate-subscription.ts'
import type { ValidationItem } from '../../contract/validation.ts'
import { EventList } from '../../contract/webhook.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { datetimeValidator } from '../../http/validation/datetime.ts'
import { prependLocation } from '../../http/validation/validator.ts'
import { isEventId } from '../../storage/webhooks/events.ts'
import { toEventEnvelope } from '../../webhooks/event-envelope.ts'
import { listEventsSince } from '../../webhooks/list-events.ts'
import { toTenantColumns } from '../shoppers/shopper-response.ts'
import { webhookRouteDefaults } from './webhook-response.ts'

const MOST_TYPES = 50

export const listEventsRoute = defineRoute({
  ...webhookRouteDefaults,
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
    const { events: listed, hasMore, nextSince } = await listEventsSince(db, toTenantColumns(question), asked, now())
    return jsonResponse({ data: listed.map(toEventEnvelope), has_more: hasMore, next_since: nextSince, errors: [] })
  },
})

function typesOf(given: readonly string[]): string[] {
  const types = given.flatMap((list) => list.split(',')).map((type) => type.trim())
  const named = types.filter(Boolean)
  const mistakes = findUnknownEventTypes(named, ['query', 'types'])
  if (mistakes.length > 0) throw new InvalidInput(mistakes)
  return named
}

/** An event's id, or an instant as times are stored. */
function sinceOf(given: string | undefined): string | undefined {
  if (given === undefined || isEventId(given)) return given
  const items: ValidationItem[] = []
  const instant = datetimeValidator(given, items)
  prependLocation(items, 0, 'since')
  prependLocation(items, 0, 'query')
  if (items.length > 0) throw new InvalidInput(items)
  return new Date(instant as string).toISOString()
}
