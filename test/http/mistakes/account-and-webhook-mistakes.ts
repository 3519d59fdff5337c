import { type Mistake, mistake } from './mistake.ts'

/** Accounts of shoppers, and webhooks. */
export const accountAndWebhookMistakes: readonly Mistake[] = [
  mistake(
    'an email address without @',
    'pub',
    'POST /v1/shoppers/login',
    { body: { email: 'nobody', password: 'long-enough' } },
    [422, 'string_pattern_mismatch'],
    ['body.email: Input should be a valid email address, such as name@example.com'],
  ),
  mistake(
    'a sign-in with a user name',
    'pub',
    'POST /v1/shoppers/login',
    { body: { username: 'a@b.example', password: 'long-enough' } },
    [422, 'missing'],
    [
      'body.email: Field required',
      'Forecourt-Hint: The member "username" of the body is unknown and was ignored. Did you mean "email"?',
    ],
  ),
  mistake(
    'a sign-in with a user',
    'pub',
    'POST /v1/shoppers/login',
    { body: { user: 'a@b.example', password: 'long-enough' } },
    [422, 'missing'],
    [
      'body.email: Field required',
      'Forecourt-Hint: The member "user" of the body is unknown and was ignored. Did you mean "email"?',
    ],
  ),
  mistake(
    'a sign-in with pwd',
    'pub',
    'POST /v1/shoppers/login',
    { body: { email: 'a@b.example', pwd: 'long-enough' } },
    [422, 'missing'],
    [
      'body.password: Field required',
      'Forecourt-Hint: The member "pwd" of the body is unknown and was ignored. Did you mean "password"?',
    ],
  ),
  mistake(
    'a short password',
    'pub',
    'POST /v1/shoppers',
    { body: { email: 'a@b.example', password: 'short', first_name: 'A', last_name: 'B' } },
    [422, 'string_too_short'],
    ['body.password: String should have at least 8 characters'],
  ),
  mistake(
    'an endpoint without https',
    'sec',
    'POST /v1/webhooks',
    { body: { endpoint_url: 'http://shop.example/hook', event_types: ['*'] } },
    [422, 'url_not_allowed'],
    [
      'body.endpoint_url: This URL is refused: it does not begin with https. Send one such as https://shop.example/webhooks',
    ],
  ),
  mistake(
    'an unknown event',
    'sec',
    'POST /v1/webhooks',
    { body: { endpoint_url: 'https://shop.example/hook', event_types: ['order.paid'] } },
    [422, 'event_type_unknown'],
    [
      'body.event_types.0: Unknown event type. Known types: order.confirmed, order.partially_shipped, order.shipped, order.delivered, order.cancelled, order.rejected, invoice.issued, invoice.paid, invoice.overdue, invoice.voided, product.updated, product.deactivated, product.back_in_stock, stock.changed, order.*, invoice.*, product.*, stock.*, *',
    ],
  ),
  mistake(
    'events as a stream',
    'sec',
    'GET /v1/events?limit=1',
    { headers: { accept: 'text/event-stream' } },
    [200],
    [
      'Forecourt-Hint: Events are not streamed: the response is JSON and ends. Poll this URL with since={next_since of the last response}, or subscribe a webhook: POST /v1/webhooks.',
    ],
  ),
  mistake(
    'events as JSON or a stream',
    'sec',
    'GET /v1/events?limit=1',
    { headers: { accept: 'application/json, text/event-stream' } },
    [200],
    [],
  ),
  mistake(
    'events since a day in words',
    'sec',
    'GET /v1/events?since=yesterday',
    {},
    [422, 'datetime_from_date_parsing'],
    [
      'query.since: Input should be a valid datetime or date, input is too short',
      'Forecourt-Hint: since is the next_since of an earlier response. To begin, omit it, or send a time (2026-01-31T13:45:00Z), a date (2026-01-31) or the id of an event (evt_...).',
    ],
  ),
]
