import { type AttemptErrorCode, attemptErrors, type DeliveryAttempt } from '../../contract/events/webhook-delivery.ts'
import { capitalize } from './capitalize.ts'

const statusTexts: readonly (readonly [from: number, to: number, text: string])[] = [
  [300, 399, 'The endpoint redirects. Redirects are not followed: change the URL of the subscription'],
  [400, 400, 'The endpoint does not understand the event. Was its code changed?'],
  [
    401,
    403,
    'The endpoint refuses the request. Does it verify the signature with the current secret, and does a firewall let it through?',
  ],
  [404, 404, 'There is nothing at this URL. Was the endpoint moved?'],
  [410, 410, 'The endpoint says that it is gone, so Forecourt has disabled it'],
  [413, 413, 'The endpoint or its proxy accepts only smaller bodies'],
  [429, 429, 'The endpoint asks for fewer requests'],
  [502, 504, 'A proxy does not reach the endpoint, or the endpoint is overloaded'],
  [500, 599, 'The endpoint failed while it handled the event. Its own log has the error'],
]

/** What to check after an attempt without a response. */
const errorAdvice: Readonly<Partial<Record<AttemptErrorCode, string>>> = {
  timeout: 'Does the endpoint do its work before it responds? Check its load and its log',
  refused: 'Does the endpoint run at this address and port, and does its firewall let Forecourt through?',
  dns: 'Check the host name in the URL of the subscription',
  tls: 'Renew the certificate of the endpoint',
  reset: 'Check the log of the endpoint, and of any proxy in front of it',
}

/** Says in words what was wrong with an attempt, and what to check; empty: it succeeded. */
export function describeAttempt({ response_status: status, error }: DeliveryAttempt): string {
  const text = (attemptErrors as Readonly<Record<string, string>>)[error ?? '']
  if (text) return [capitalize(text), errorAdvice[error as AttemptErrorCode]].filter(Boolean).join('. ')
  if (status === null) return 'No response'
  if (status >= 200 && status <= 299) return ''
  return (
    statusTexts.find(([from, to]) => status >= from && status <= to)?.[2] ?? 'The endpoint did not accept the event'
  )
}
