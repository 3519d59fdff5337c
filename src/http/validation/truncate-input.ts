import type { ValidationItem } from '../../contract/validation-error.ts'
import { sourceTextJson } from './json-source-text-access.ts'

const MAX_LENGTH = 256

/** Truncates the input that an error repeats, or removes it (`echo: false`), so that a password is never echoed. */
export function truncateInput(items: ValidationItem[], echo: boolean): ValidationItem[] {
  return items.map(({ input, ...item }) => {
    if (!echo) return item
    const { ctx, ...start } = item
    return ctx === undefined ? { ...start, input: truncate(input) } : { ...start, input: truncate(input), ctx }
  })
}

/** Truncates a string to 256 characters; a list or an object whose JSON is longer becomes the first 256 characters of it. */
function truncate(input: unknown): unknown {
  if (typeof input === 'string') return input.length > MAX_LENGTH ? head(input) : input
  if (typeof input !== 'object' || input === null || sourceTextJson.isRawJSON(input)) return input
  const json = stringifyStart(input, MAX_LENGTH + 1)
  return json.length > MAX_LENGTH ? head(json) : input
}

/** Never splits a surrogate pair. */
const head = (text: string) =>
  text.slice(0, (text.charCodeAt(MAX_LENGTH - 1) & 0xfc00) === 0xd800 ? MAX_LENGTH - 1 : MAX_LENGTH)

/** Returns at least the first `length` characters of a value's JSON. Each level writes a character, so `length` bounds the depth too. */
function stringifyStart(value: unknown, length: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, length))
  if (typeof value !== 'object' || value === null || sourceTextJson.isRawJSON(value)) return JSON.stringify(value)
  const isArray = Array.isArray(value)
  let json = isArray ? '[' : '{'
  for (const key in value) {
    if (json.length >= length) return json
    if (json.length > 1) json += ','
    if (!isArray) json += `${JSON.stringify(key.slice(0, length))}:`
    json += stringifyStart((value as Record<string, unknown>)[key], length - json.length)
  }
  return json + (isArray ? ']' : '}')
}
