import type { ValidationItem } from '../../contract/validation.ts'
import { eventPatterns } from '../../contract/webhook.ts'
import { type EndpointRules, findUrlMistake } from '../../egress/endpoint-rules.ts'
import { InvalidInput } from '../../errors.ts'

/** What a request says of a subscription, beyond what its schema judges. */
export interface SubscriptionInput {
  endpoint_url?: string
  event_types?: readonly string[]
}

/** Of the URL as it is stored and compared: a store's index cannot hold any length. */
const LONGEST_URL = 2_048
const ECHOED = 256

/** The URL and the event types as they are kept. Throws Invalid with all that is wrong in them. */
export function validateSubscription<W extends SubscriptionInput>(
  { endpoint_url, event_types, ...rest }: W,
  rules: EndpointRules,
) {
  const items: ValidationItem[] = []
  const url = endpoint_url === undefined ? undefined : judgedUrl(endpoint_url, rules, items)
  if (event_types) items.push(...findUnknownEventTypes(event_types, ['body', 'event_types']))
  if (items.length > 0) throw new InvalidInput(items)
  return {
    ...rest,
    ...(url !== undefined && { endpoint_url: url }),
    ...(event_types && { event_types: [...new Set(event_types)] }),
  }
}

function judgedUrl(url: string, rules: EndpointRules, items: ValidationItem[]): string {
  const normal = URL.canParse(url) ? new URL(url).href : url
  const mistake = findUrlMistake(url, rules) ?? (normal.length > LONGEST_URL ? 'longer than 2048 characters' : null)
  if (mistake !== null) items.push(mistaken('url_not_allowed', ['body', 'endpoint_url'], mistake, url))
  return normal
}

/** The mistakes in a list of event patterns that stands there. */
export function findUnknownEventTypes(given: readonly string[], place: readonly string[]): ValidationItem[] {
  const known: ReadonlySet<string> = new Set(eventPatterns)
  return given.flatMap((type, at) =>
    known.has(type) ? [] : [mistaken('event_type_unknown', [...place, at], UNKNOWN_TYPE, type)],
  )
}

const UNKNOWN_TYPE = `There is no such event type. There are: ${eventPatterns.join(', ')}`

const mistaken = (type: string, loc: ValidationItem['loc'], msg: string, input: string): ValidationItem => ({
  ...{ type, loc, msg, input: input.slice(0, ECHOED).toWellFormed() },
})
