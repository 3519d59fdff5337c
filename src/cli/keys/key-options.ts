import ms from 'ms'
import type { Mode } from '../../config/config.ts'
import type { ApiKeyKind } from '../../storage/keys/api-key-format.ts'
import { defaultScopes } from '../../storage/keys/api-keys.ts'
import { UsageError } from '../usage-error.ts'

const LONGEST_MS = ms('100y')

export function parseChoiceOption<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((entry) => entry === value)
  if (found === undefined) throw new UsageError(`${option} is one of ${allowed.join(', ')}, not "${value}"`)
  return found
}

export function parseRateOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = Number(text)
  if (Number.isInteger(rate) && rate >= 1 && rate <= 10_000_000) return rate
  throw new UsageError(`--rate is a number of requests a minute from 1 to 10000000, not "${text}"`)
}

export function parseOriginsOption(text: string | undefined, mode: Mode): string[] | undefined {
  const origins = text
    ?.split(',')
    .map((origin) => origin.trim().replace(/\/$/, ''))
    .filter(Boolean)
  for (const origin of origins ?? []) {
    if (origin === '*' && mode === 'sandbox') continue
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    throw new UsageError(
      `--origins takes origins such as https://shop.example, not "${origin}"${origin === '*' ? ': * is for sandbox keys' : ''}`,
    )
  }
  return origins
}

export function parseScopesOption(text: string | undefined, kind: ApiKeyKind): string[] | undefined {
  const scopes = text
    ?.split(',')
    .map((scope) => scope.trim())
    .filter(Boolean)
  for (const scope of scopes ?? []) {
    if (!defaultScopes[kind].includes(scope))
      throw new UsageError(`A ${kind} key may have the scopes ${defaultScopes[kind].join(', ')}, not "${scope}"`)
  }
  return scopes
}

export function parseExpiryOption(option: string, text: string): string {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Date.now() + parseDurationOption(option, text)
  if (Number.isNaN(at))
    throw new UsageError(`${option} takes a date, an RFC 3339 time or a duration such as 90d, not "${text}"`)
  if (at > Date.now() + LONGEST_MS) throw new UsageError(`${option} is within 100 years, not ${text}`)
  if (at <= Date.now()) throw new UsageError(`${option} ${text} is in the past`)
  return new Date(at).toISOString()
}

/** One line, as it is shown to people. */
export function parseLabelOption(text: string | undefined): string | undefined {
  if (text === undefined || /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text)) return text
  throw new UsageError('--label is one line of 1 to 100 characters, without control characters')
}

/** With its unit: a bare number would be so many milliseconds, which nobody means. */
export function parseDurationOption(option: string, text: string): number {
  const duration = text === '0' || /[a-z]$/i.test(text) ? ms(text as ms.StringValue) : undefined
  if (duration === undefined || duration < 0)
    throw new UsageError(`${option} takes a duration such as 24h or 90d, not "${text}"`)
  if (duration > LONGEST_MS) throw new UsageError(`${option} is 100 years at the most, not ${text}`)
  return duration
}
