import type { ValidationItem } from '../../contract/validation.ts'
import { rawJson } from './raw-json.ts'

const LONGEST = 256

/** Cuts what an answer repeats of the request, or leaves it out: a password is never echoed. */
export function truncateInput(items: ValidationItem[], echo: boolean): ValidationItem[] {
  return items.map(({ input, ...item }) => {
    if (!echo) return item
    const { ctx, ...start } = item
    return ctx === undefined ? { ...start, input: cut(input) } : { ...start, input: cut(input), ctx }
  })
}

/** A string is cut to 256 characters; a list or an object whose JSON is longer becomes the first 256 characters of it. */
function cut(input: unknown): unknown {
  if (typeof input === 'string') return input.length > LONGEST ? head(input) : input
  if (typeof input !== 'object' || input === null || rawJson.isRawJSON(input)) return input
  const json = opening(input, LONGEST + 1)
  return json.length > LONGEST ? head(json) : input
}

/** Never half a surrogate pair. */
const head = (text: string) => text.slice(0, (text.charCodeAt(LONGEST - 1) & 0xfc00) === 0xd800 ? LONGEST - 1 : LONGEST)

/** At least the first `room` characters of a value's JSON. Each level writes a character, so `room` bounds the depth too. */
function opening(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room))
  if (typeof value !== 'object' || value === null || rawJson.isRawJSON(value)) return JSON.stringify(value)
  const list = Array.isArray(value)
  let json = list ? '[' : '{'
  for (const key in value) {
    if (json.length >= room) return json
    if (json.length > 1) json += ','
    if (!list) json += `${JSON.stringify(key.slice(0, room))}:`
    json += opening((value as Record<string, unknown>)[key], room - json.length)
  }
  return json + (list ? ']' : '}')
}
