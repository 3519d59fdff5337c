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
const NULL_OF_JAVASCRIPT = 'JSON.stringify writes NaN and Infinity as null.'
const NO_JSON_NUMBER = /^-?(?:NaN|Infinity)\b/
const MAX_NAMES = 3

/**
 * Creates the hint about a body, or a member of it, that must be an object or an array and is not, or that is null or NaN. The hint is a text for
 * the header `Forecourt-Hint`, or `undefined` for other mistakes.
 */
export function createBodyShapeHint(
  schema: TSchema | undefined,
): (detail: readonly ValidationItem[], body: UnparsedBody | undefined) => string | undefined {
  if (!schema) return () => undefined
  return (detail, body) => {
    const text = body && 'text' in body ? body.text : ''
    if (text.startsWith('[object ')) return STRINGIFIED
    const missing =
      describeMissing(detail, text, schema as MemberSchema) ?? describeNull(detail) ?? describeNaN(detail, text)
    if (missing) return missing
    const item = detail.find(({ type, loc }) => loc[0] === 'body' && /^(?:model_attributes|list)_type$/.test(type))
    if (!item) return undefined
    const path = item.loc.slice(1)
    const place = path.length === 0 ? 'The body' : `The member "${path.join('.')}" of the body`
    if (item.type === 'list_type') return `${place} must be an array, in square brackets.`
    const members = describeMembers(findMember(schema as MemberSchema, path))
    const mistake = path.length === 0 ? describeMistake(text, schema as MemberSchema) : ''
    return `${place} must be an object${members}. ${mistake}`.trimEnd()
  }
}

/** Says what the text of a whole body is instead of an object. */
function describeMistake(text: string, schema: MemberSchema): string {
  const value = parse(text)
  const list = Array.isArray(value) && findListMember(schema)
  if (list) return `Send the array as a member: {"${list}": [...]}.`
  if (typeof value !== 'string') return ''
  const isTwice = typeof parse(value) === 'object'
  return isTwice ? 'It is a string with JSON in it: call JSON.stringify only once.' : ''
}

/** Describes a body that is missing, or a member that is `null` as if it were missing. */
function describeMissing(detail: readonly ValidationItem[], text: string, schema: MemberSchema): string | undefined {
  const item = detail.find(({ type, loc }) => type === 'missing' && loc[0] === 'body')
  if (!item) return undefined
  const path = item.loc.slice(1)
  if (path.length === 0 && item.msg === 'Field required') return `Send a body of JSON${describeMembers(schema)}.`
  const value = path.length === 0 ? undefined : path.reduce<unknown>((at, name) => Object(at)[name], parse(text))
  if (value !== null) return undefined
  return `The member "${path.join('.')}" of the body is null, which counts as missing. ${NULL_OF_JAVASCRIPT}`
}

/** Describes a member that is `null` and may not be. */
function describeNull(detail: readonly ValidationItem[]): string | undefined {
  const item = detail.find(({ type, loc, input }) => input === null && loc.length > 1 && /_type$/.test(type))
  const path = item?.loc.slice(1).join('.')
  return item && `The member "${path}" of the body is null. Send a value. ${NULL_OF_JAVASCRIPT}`
}

/** Describes what Python's json.dumps writes, for example. */
function describeNaN(detail: readonly ValidationItem[], text: string): string | undefined {
  const item = detail.find(({ type }) => type === 'json_invalid')
  const found = item && NO_JSON_NUMBER.exec(text.slice(Number(item.loc[1])))?.[0]
  return found && `JSON has no ${found}. Send a number, or omit the member.`
}

const findListMember = (schema: MemberSchema): string | undefined =>
  [schema, ...(schema.anyOf ?? [])]
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .find(([, { items }]) => items !== undefined)?.[0]

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

/** Names the required members, the next one too where one is required, or the first ones where none is. */
function describeMembers(schema: MemberSchema | undefined): string {
  const object = [schema, ...(schema?.anyOf ?? [])].find((one) => one?.properties)
  if (!object) return ''
  const required = object.required ?? []
  const all = Object.keys(object.properties ?? {})
  const names =
    required.length > 1 ? required : [...new Set([...required, ...all])].slice(0, MAX_NAMES - required.length)
  return `, such as {${names.map((name) => `"${name}": ...`).join(', ')}}`
}
