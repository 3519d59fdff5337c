import Type, { type TObject } from 'typebox'
import { ModeSchema, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { eventData } from './event-data-schemas.ts'
import { EVENT_API_VERSION, type EventKind, eventKinds, eventResourceTypes, PING_EVENT_KIND } from './event-types.ts'

const EventResource = Type.Object(
  {
    type: Type.Enum([...eventResourceTypes], { $id: 'EventResourceType' }),
    id: Type.String(),
  },
  { $id: 'EventResource' },
)

const envelope = {
  id: Type.String({ description: 'Identifies the event, for deduplication' }),
  created_at: Timestamp,
  api_version: Type.String({ description: `${EVENT_API_VERSION}; changes only when receivers must change too` }),
  mode: ModeSchema,
  tenant_id: Type.String(),
  resource: EventResource,
  sequence: Type.Integer({ description: 'Increases by one with each event of the resource; 0 in a ping' }),
}

/** Returns the schema of the events of one type. */
function createEventSchema(kind: EventKind | typeof PING_EVENT_KIND): TObject {
  const { id, created_at, api_version, mode, tenant_id, resource, sequence } = envelope
  const members = { id, type: Type.Literal(kind), created_at, api_version, mode, tenant_id, resource, sequence }
  return Type.Object({ ...members, data: eventData[kind] }, { $id: toEventSchemaName(kind) })
}

/** `order.partially_shipped` → `OrderPartiallyShippedEvent`. */
const toEventSchemaName = (kind: string): string =>
  `${kind.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** The schema of each type of event, `webhook.ping` included. */
export const eventSchemas = ([...eventKinds, PING_EVENT_KIND] as const).map(
  (kind) => [kind, createEventSchema(kind)] as const,
)

const listed = eventSchemas.filter(([kind]) => kind !== PING_EVENT_KIND)

/** An event that is stored, as opposed to a ping. */
export const EventSchema = Type.Union(
  listed.map(([, schema]) => schema),
  {
    $id: 'Event',
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(listed.map(([kind]) => [kind, `#/components/schemas/${toEventSchemaName(kind)}`])),
    },
  },
)

export const EventList = Type.Object(
  {
    data: Type.Array(EventSchema),
    has_more: Type.Boolean({
      description: 'True: read the next page now, even if this one is empty; false: poll again later',
    }),
    next_since: Type.String({
      description: 'For the next call: an opaque position in the list. No event is listed twice, and none is left out',
    }),
    errors: SectionErrors,
  },
  { $id: 'EventList' },
)
