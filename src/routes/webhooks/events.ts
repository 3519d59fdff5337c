import Type from 'typebox'
import { findUnknownEventTypes } from '../../commands/webhooks/validate-subscription.ts'
import { EventList } from '../../contract/events/event-schemas.ts'
import { EventTypeList } from '../../contract/events/event-types.ts'
import { checkedLater } from '../../contract/schema-parts.ts'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { InvalidInput } from '../../errors.ts'
import { defineRoute, jsonResponse } from '../../http/route.ts'
import { datetimeWithoutEpochValidator } from '../../http/validation/date-and-datetime.ts'
import { prependLocation } from '../../http/validation/validation-items.ts'
import { isEventIdLike } from '../../storage/webhooks/event-queries.ts'
import { isEventCursor } from '../../webhooks/event-cursor.ts'
import { listEventsSince } from '../../webhooks/list-events.ts'
import { toEventEnvelope } from '../../webhooks/to-event-envelope.ts'
import { webhookRouteDefaults } from './webhook-route-defaults.ts'

const MAX_TYPES = 50
const SINCE_HINT =
  'since is the next_since of an earlier response. To begin, omit it, or send a time (2026-01-31T13:45:00Z), a date (2026-01-31) or the id of an event (evt_...).'
/** The media type that a browser's `EventSource` accepts. */
const EVENT_STREAM = 'text/event-stream'
const STREAM_HINT =
  'Events are not streamed: the response is JSON and ends. Poll this URL with since={next_since of the last response}, or subscribe a webhook: POST /v1/webhooks.'

export const listEventsRoute = defineRoute({
  ...webhookRouteDefaults,
  method: 'GET',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'List the events of the last 30 days, oldest first, to poll instead of subscribing or to fill gaps',
  input: {
    query: Type.Object({
      since: Type.Optional(
        Type.String({
          maxLength: 64,
          pattern: '^(?:cur_|evt_|[0-9]{4}-)',
          ...checkedLater,
          description:
            'Where to start: next_since of the previous response, an event id to start after, or an RFC 3339 time; the oldest stored event by default',
        }),
      ),
      types: Type.Optional(
        Type.Array(EventTypeList, {
          maxItems: MAX_TYPES,
          description: 'Event types as in a subscription, repeated or separated by commas; all by default',
        }),
      ),
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
    }),
  },
  response: EventList,
  hint: (_request, { accept }) => (accept?.trim() === EVENT_STREAM ? STREAM_HINT : null),
  async handle({ query, ...request }) {
    const { db, now } = request.commerce
    const types = parseTypes(query.types ?? [])
    const filter = { since: parseSince(query.since), types, limit: query.limit }
    const { events, hasMore, nextSince } = await listEventsSince(db, request.tenant, filter, now())
    return jsonResponse({ data: events.map(toEventEnvelope), has_more: hasMore, next_since: nextSince, errors: [] })
  },
})

function parseTypes(values: readonly string[]): string[] {
  const types = values.flatMap((list) => list.split(',')).map((type) => type.trim())
  const nonEmpty = types.filter(Boolean)
  const errors = findUnknownEventTypes(nonEmpty, ['query', 'types'])
  if (errors.length > 0) throw new InvalidInput(errors)
  return nonEmpty
}

/** Returns a cursor or an event id as it is, and a time as the store has it. */
function parseSince(since: string | undefined): string | undefined {
  if (since === undefined || isEventCursor(since) || isEventIdLike(since)) return since
  const items: ValidationItem[] = []
  const instant = datetimeWithoutEpochValidator(since, items)
  prependLocation(items, 0, 'since')
  prependLocation(items, 0, 'query')
  if (items.length > 0) throw new InvalidInput(items, SINCE_HINT)
  return new Date(instant as string).toISOString()
}
