import { defaultRatesPerMinute, defaultScopes } from '../../storage/keys/api-key-defaults.ts'
import type { ApiKeyKind } from '../../storage/keys/api-key-format.ts'
import type { Mode } from '../../tenant.ts'
import { parseIntegerOption, splitList } from '../parse-option.ts'
import { UsageError } from '../usage-error.ts'

const MAX_RATE = 10_000_000

export function parseRateOption(text: string | undefined): number | undefined {
  return parseRequestsOption('--rate', text, MAX_RATE)
}

/** Parses the limit of one client, which the limit of the key (`rate`, or the default) contains. */
export function parseRatePerClientOption(
  text: string | undefined,
  { kind, rate }: { kind: ApiKeyKind; rate: number | undefined },
): number | undefined {
  if (text !== undefined && kind === 'secret')
    throw new UsageError('--rate-per-client is for publishable keys: a secret key serves one server')
  return parseRequestsOption('--rate-per-client', text, rate ?? defaultRatesPerMinute[kind])
}

function parseRequestsOption(option: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined
  return parseIntegerOption(option, text, { min: 1, max })
}

export function parseOriginsOption(
  text: string | undefined,
  { kind, mode }: { kind: ApiKeyKind; mode: Mode },
): string[] | undefined {
  if (text === undefined) return undefined
  if (kind === 'secret')
    throw new UsageError('--origins is for publishable keys: no browser may have a secret key. Omit it')
  const origins = splitList(text)
    .map((origin) => origin.replace(/\/$/, ''))
    .filter(Boolean)
  for (const origin of origins) {
    if (origin === '*' && mode === 'sandbox') continue
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    const reason = origin === '*' ? ': * is only for sandbox keys' : ''
    throw new UsageError(`--origins takes origins such as https://shop.example, not "${origin}"${reason}`)
  }
  return origins
}

export function parseScopesOption(text: string | undefined, kind: ApiKeyKind): string[] | undefined {
  if (text === undefined) return undefined
  const scopes = splitList(text).filter(Boolean)
  for (const scope of scopes) {
    if (!defaultScopes[kind].includes(scope))
      throw new UsageError(`A ${kind} key may have the scopes ${defaultScopes[kind].join(', ')}, not "${scope}"`)
  }
  return scopes
}

/** Parses a label: one line that is safe to print on a terminal. */
export function parseLabelOption(text: string | undefined): string | undefined {
  if (text === undefined || /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text)) return text
  throw new UsageError('--label takes one line of 1 to 100 characters, without control characters')
}
