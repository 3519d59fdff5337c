import type { TSchema } from 'typebox'
import { createKnownNameSuggestion } from './known-name-suggestion.ts'

/** The schema of a body, as far as it names members. */
interface MemberSchema {
  type?: string
  properties?: Record<string, MemberSchema>
  items?: MemberSchema
  anyOf?: MemberSchema[]
  required?: string[]
  'x-second-with'?: string
}

interface Members {
  known: ReadonlyMap<string, Members | null>
  suggest: (name: string) => string | null
  numbers: ReadonlySet<string>
  /** In a choice of two objects: the member that counts, and the one that is ignored beside it. */
  ignoredBeside: readonly [counts: string, ignored: string] | null
}

/** A search ends after this many unknown members, as a body may have thousands. */
const MAX_UNKNOWN = 50

/**
 * Creates the check of a route's unknown body members. They are ignored, so a misspelled one would be missing without a sign. The check returns
 * a text for the header `Forecourt-Hint`, or `null` if none resembles a known member. A known one that another makes ineffective, and a boolean in
 * place of a number, have a hint too.
 */
export function createIgnoredBodyMemberHint(schema: TSchema): (body: unknown) => string | null {
  const members = readMembers(schema as MemberSchema)
  return (body) => (members ? findIgnored(body, members, '', { unknown: 0 }) : null)
}

function readMembers(schema: MemberSchema): Members | null {
  const entries = listMembers(schema)
  if (entries.length === 0) return null
  const known = new Map(entries.map(([name, member]) => [name, readMembers(member)]))
  const numbers = new Set(entries.filter(([, member]) => isNumber(member)).map(([name]) => name))
  return { known, suggest: createKnownNameSuggestion([...known.keys()]), numbers, ignoredBeside: readChoice(schema) }
}

const isNumber = ({ type, anyOf = [] }: MemberSchema): boolean =>
  type === 'number' || type === 'integer' || anyOf.some(isNumber)

function readChoice({ anyOf = [], 'x-second-with': second }: MemberSchema): Members['ignoredBeside'] {
  const [first] = anyOf[0]?.required ?? []
  return first !== undefined && second !== undefined ? [first, second] : null
}

/** Lists the members of an object, of the objects in an array, or of all kinds that a union allows. */
function listMembers({ properties = {}, items, anyOf = [] }: MemberSchema): [string, MemberSchema][] {
  return [...Object.entries(properties), ...(items ? listMembers(items) : []), ...anyOf.flatMap(listMembers)]
}

function findIgnored(value: unknown, members: Members, path: string, count: { unknown: number }): string | null {
  if (typeof value !== 'object' || value === null) return null
  const [counts, ignored] = members.ignoredBeside ?? []
  if (ignored !== undefined && Object.hasOwn(value, ignored) && Object.hasOwn(value, counts!))
    return `The member "${path}${ignored}" of the body was ignored, because of the member "${counts}". Send only one of them.`
  const unset = findUnsetNumber(value, members.numbers)
  if (unset !== undefined)
    return `The member "${path}${unset}" of the body is null, which counts as missing. JSON.stringify writes NaN and Infinity as null.`
  for (const [name, member] of Object.entries(value)) {
    if (count.unknown >= MAX_UNKNOWN) return null
    const hint = Array.isArray(value)
      ? findInItem(name, member, members, path, count)
      : findInMember(name, member, members, path, count)
    if (hint !== null) return hint
  }
  return null
}

/** Returns the name of a number that is `null`, unless the object has another one: then it may be meant. */
function findUnsetNumber(value: object, numbers: ReadonlySet<string>): string | undefined {
  if (numbers.size === 0 || Array.isArray(value)) return undefined
  const sent = Object.entries(value).filter(([name]) => numbers.has(name))
  return sent.every(([, member]) => member === null) ? sent[0]?.[0] : undefined
}

/** No schema has lists of lists, which a body could nest deeper than the stack. */
function findInItem(at: string, item: unknown, members: Members, path: string, count: { unknown: number }) {
  return Array.isArray(item) ? null : findIgnored(item, members, `${path}${at}.`, count)
}

function findInMember(
  name: string,
  member: unknown,
  { known, suggest, numbers }: Members,
  path: string,
  count: { unknown: number },
): string | null {
  const inner = known.get(name)
  if (inner) return findIgnored(member, inner, `${path}${name}.`, count)
  if (typeof member === 'boolean' && numbers.has(name))
    return `The member "${path}${name}" of the body is ${member}, which counts as ${Number(member)}. Send a number.`
  if (inner === null) return null
  count.unknown += 1
  const remedy = describeRemedy(name, member, known, suggest)
  return remedy && `The member "${path}${name}" of the body is unknown and was ignored. ${remedy}`
}

/** What a name alone does not say. */
const REMEDIES: Readonly<Record<string, string>> = {
  order_uom: ' Send it with order_quantity: quantity counts the base unit.',
}

/** Lines have the one, checkouts the other. */
const ORDERING_MEMBERS = ['order_quantity', 'payment_method']
const PRICED = 'Prices come from the back office of the merchant. Omit it.'
const SIGNED_IN = 'The shopper token says who orders. Omit it.'
/** What no member says, of a line or a checkout. */
const SET_ELSEWHERE: Readonly<Record<string, string>> = {
  price: PRICED,
  unit_price: PRICED,
  unitPrice: PRICED,
  customer_id: SIGNED_IN,
  customerId: SIGNED_IN,
}

/** `null`: nothing is known about a member of this name. */
function describeRemedy(name: string, member: unknown, known: Members['known'], suggest: Members['suggest']) {
  const similar = suggest(name)
  if (similar !== null) return `Did you mean "${similar}"?${REMEDIES[similar] ?? ''}`
  if (/^idempotency_?key$/i.test(name)) return 'Send it as the header Idempotency-Key.'
  if (name === 'sku' && known.has('order_quantity'))
    return 'A line keeps its sku: remove the line, and add one with another sku.'
  if (ORDERING_MEMBERS.some((one) => known.has(one)) && Object.hasOwn(SET_ELSEWHERE, name)) return SET_ELSEWHERE[name]!
  if (!/^\w{1,32}$/.test(name) || typeof member !== 'object' || member === null || Array.isArray(member)) return null
  const inner = Object.keys(member).find((one) => known.has(one))
  return inner === undefined ? null : `Send its members, such as "${inner}", beside it instead of in it.`
}
