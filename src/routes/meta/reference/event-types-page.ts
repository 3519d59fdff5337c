import { eventData } from '../../../contract/events/event-data-schemas.ts'
import { eventSchemas } from '../../../contract/events/event-schemas.ts'
import { readEventExample } from '../../../http/openapi/examples.ts'
import { createMarkdownTable } from './markdown-table.ts'

const intro = `Forecourt posts these events to the endpoints that subscribe to them, and \`GET /v1/events\` lists them. Types and members may be added:
ignore those that you do not know. \`data\` describes the state at the time of the event.
`

/** Returns the page of all types of events: docs/events.md, and a page of the API reference. */
export const createEventTypesPage = (): string =>
  [intro, ...eventSchemas.flatMap(([type]) => describeEvent(type))].join('\n')

function describeEvent(type: keyof typeof eventData): string[] {
  const { properties } = eventData[type]
  const required: readonly string[] = eventData[type].required ?? []
  const rows = Object.entries<MemberSchema>(properties).map(([name, schema]) => [
    `\`${name}\``,
    describeType(schema),
    [required.includes(name) ? '' : 'optional', schema.description ?? ''].filter(Boolean).join('. '),
  ])
  const example = JSON.stringify(readEventExample(type), null, 2)
  const table = createMarkdownTable(['member of `data`', 'type', ''], rows)
  return [`## ${type}`, '', table, '', '```json', example, '```', '']
}

interface MemberSchema {
  $id?: string
  type?: string
  description?: string
  enum?: readonly unknown[]
  items?: MemberSchema
  anyOf?: readonly MemberSchema[]
  properties?: unknown
}

function describeType({ $id, type, enum: values, items, anyOf, properties }: MemberSchema): string {
  if (anyOf) return anyOf.map(describeType).join(' or ')
  if (values) return values.map((value) => `\`${value}\``).join(', ')
  if (items) return `list of ${describeType(items)}`
  if (properties) return $id ?? 'object'
  return type ?? $id ?? 'any'
}
