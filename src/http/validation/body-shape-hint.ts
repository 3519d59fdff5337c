import type { TSchema } from 'typebox'
import type { ValidationItem } from '../../contract/validation-error.ts'
import type { UnparsedBody } from '../body/read-body.ts'

/** The schema of a body, as far as it names members. */
interface MemberSchema {
  properties?: Record<string, MemberSchema>
  items?: MemberSchema
  anyOf?: MemberSchema[]
  required?: string[]
}

const STRINGIFIED = 'Send JSON.stringify(body): without it, JavaScript writes an object as [object Object].'
const MAX_NAMES = 3

/**
 * Creates the hint at a body, or a member of one, that should be an object or an array and is something else. It returns a text for the header
 * `Forecourt-Hint`, or `undefined` if that is not what is wrong.
 */
export function createBodyShapeHint(
  schema: TSchema | undefined,
): (detail: readonly ValidationItem[], body: UnparsedBody | undefined) => string | undefined {
  if (!schema) return () => undefined
  return (detail, body) => {
    const text = body && 'text' in body ? body.text : ''
    if (text.startsWith('[object ')) return STRINGIFIED
    const item = detail.find(({ type, loc }) => loc[0] === 'body' && /^(?:model_attributes|list)_type$/.test(type))
    if (!item) return undefined
    const path = item.loc.slice(1)
    const place = path.length === 0 ? 'The body' : `The member "${path.join('.')}" of the body`
    if (item.type === 'list_type') return `${place} must be an array, in square brackets.`
    const members = describeMembers(findMember(schema as MemberSchema, path))
    return `${place} must be an object${members}. ${path.length === 0 ? describeMistake(text) : ''}`.trimEnd()
  }
}

/** Says what the text of a whole body is instead of an object. */
function describeMistake(text: string): string {
  const value = parse(text)
  if (typeof value !== 'string') return ''
  const isTwice = typeof parse(value) === 'object'
  return isTwice ? 'It is a string with JSON in it: call JSON.stringify only once.' : ''
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findMember(schema: MemberSchema, path: readonly (string | number)[]): MemberSchema | undefined {
  const [first, ...rest] = path
  if (first === undefined) return schema
  const kinds = [schema, ...(schema.anyOf ?? [])]
  const next = kinds.map(({ properties, items }) => (typeof first === 'number' ? items : properties?.[first]))
  const found = next.find((one) => one !== undefined)
  return found && findMember(found, rest)
}

/** Names the required members, or the first ones where none is required. */
function describeMembers(schema: MemberSchema | undefined): string {
  const object = [schema, ...(schema?.anyOf ?? [])].find((one) => one?.properties)
  if (!object) return ''
  const required = object.required ?? []
  const names = required.length > 0 ? required : Object.keys(object.properties ?? {}).slice(0, MAX_NAMES)
  return `, such as {${names.map((name) => `"${name}": ...`).join(', ')}}`
}
