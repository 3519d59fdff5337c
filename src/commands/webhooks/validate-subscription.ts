import { eventPatterns } from '../../contract/events/event-types.ts'
import type { ValidationItem } from '../../contract/validation-error.ts'
import { type EndpointRules, findUrlMistake } from '../../egress/endpoint-rules.ts'
import { InvalidInput } from '../../errors.ts'

/** The subscription fields that need more checks than their schema makes. */
export interface SubscriptionInput {
  endpoint_url?: string
  event_types?: readonly string[]
}

/** The limit for a normalized URL, since the store's unique index limits its length. */
const MAX_URL_LENGTH = 2_048
const MAX_ECHOED_LENGTH = 256

/** Returns the URL and the event types in the form in which they are stored. Throws InvalidInput with all mistakes at once. */
export function validateSubscription<W extends SubscriptionInput>(
  { endpoint_url, event_types, ...rest }: W,
  rules: EndpointRules,
) {
  const items: ValidationItem[] = []
  const url = endpoint_url === undefined ? undefined : normalizeUrl(endpoint_url, rules, items)
  if (event_types) items.push(...findUnknownEventTypes(event_types, ['body', 'event_types']))
  if (items.length > 0) throw new InvalidInput(items)
  return {
    ...rest,
    ...(url !== undefined && { endpoint_url: url }),
    ...(event_types && { event_types: [...new Set(event_types)] }),
  }
}

function normalizeUrl(url: string, rules: EndpointRules, items: ValidationItem[]): string {
  const normalized = URL.canParse(url) ? new URL(url).href : url
  const mistake =
    findUrlMistake(url, rules) ?? (normalized.length > MAX_URL_LENGTH ? 'it is longer than 2048 characters' : null)
  if (mistake !== null) {
    const msg = `This URL is refused: ${mistake}. Send one such as https://shop.example/webhooks`
    items.push(toValidationItem('url_not_allowed', ['body', 'endpoint_url'], msg, url))
  }
  return normalized
}

/** Returns a validation item for each unknown event pattern. `path`: the location of the list. */
export function findUnknownEventTypes(patterns: readonly string[], path: readonly string[]): ValidationItem[] {
  const known: ReadonlySet<string> = new Set(eventPatterns)
  return patterns.flatMap((pattern, index) =>
    known.has(pattern) ? [] : [toValidationItem('event_type_unknown', [...path, index], UNKNOWN_TYPE, pattern)],
  )
}

const UNKNOWN_TYPE = `Unknown event type. Known types: ${eventPatterns.join(', ')}`

const toValidationItem = (type: string, loc: ValidationItem['loc'], msg: string, input: string): ValidationItem => ({
  type,
  loc,
  msg,
  input: input.slice(0, MAX_ECHOED_LENGTH).toWellFormed(),
})
