import ms from 'ms'
import { UsageError } from './usage-error.ts'

const MAX_DURATION_MS = ms('100y')
const alternatives = new Intl.ListFormat('en', { type: 'disjunction' })

export function parseChoiceOption<const T extends string>(option: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((entry) => entry === text)
  if (choice === undefined) throw new UsageError(`${option} takes ${alternatives.format(choices)}, not "${text}"`)
  return choice
}

/** Parses the name of a system; `allowed` are the systems that the command knows. */
export function parseSystem<const T extends string>(name: string, allowed: readonly T[]): T {
  const system = allowed.find((entry) => entry === name)
  if (!system) throw new UsageError(`There is no system "${name}". Use ${alternatives.format(allowed)}`)
  return system
}

export const parseSystemList = <const T extends string>(text: string, allowed: readonly T[]): T[] =>
  splitList(text).map((name) => parseSystem(name, allowed))

/** Splits the value of an option at its commas. */
export const splitList = (text: string): string[] => text.split(',').map((entry) => entry.trim())

export function parseNumberOption(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= min && value <= max) return value
  throw new UsageError(`${option} takes a number from ${min} to ${max}, not "${text}"`)
}

/** `alternative`: a word that the option takes as well, for the message. */
export function parseIntegerOption(
  option: string,
  text: string,
  { min, max, alternative }: { min: number; max: number; alternative?: string },
): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  const or = alternative ? `, or ${alternative}` : ''
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}${or}, not "${text}"`)
}

const parseDuration = (text: string): number | undefined =>
  text === '0' || /[a-z]$/i.test(text) ? ms(text as ms.StringValue) : undefined

/** Parses a duration to milliseconds. It needs a unit: a bare number would be milliseconds, which nobody means. */
export function parseDurationOption(option: string, text: string): number {
  const durationMs = parseDuration(text)
  if (durationMs === undefined || durationMs < 0)
    throw new UsageError(`${option} takes a duration such as 24h or 90d, not "${text}"`)
  if (durationMs > MAX_DURATION_MS) throw new UsageError(`${option} takes at most 100 years, not ${text}`)
  return durationMs
}

/** Parses a date, an RFC 3339 time or a duration from now to a time in the future. */
export function parseExpiryOption(option: string, text: string): string {
  const now = Date.now()
  const expiresAt = /^\d{4}-/.test(text) ? Date.parse(text) : now + (parseDuration(text) ?? Number.NaN)
  if (Number.isNaN(expiresAt))
    throw new UsageError(`${option} takes a date, an RFC 3339 time or a duration such as 90d, not "${text}"`)
  if (expiresAt > now + MAX_DURATION_MS)
    throw new UsageError(`${option} takes a time within the next 100 years, not ${text}`)
  if (expiresAt <= now) throw new UsageError(`${option} ${text} is in the past`)
  return new Date(expiresAt).toISOString()
}
