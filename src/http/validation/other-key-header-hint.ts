import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '../route.ts'

/** Returns a text for the header `Forecourt-Hint` about an idempotency key under a name that other APIs use, or `null`. */
export const hintAtOtherKeyHeader = (
  { idempotent }: Pick<Route, 'idempotent'>,
  headers: IncomingHttpHeaders,
): string | null =>
  idempotent && headers['x-idempotency-key'] !== undefined && headers['idempotency-key'] === undefined
    ? 'The header X-Idempotency-Key is ignored, so a repeated request takes effect again. Send the key as Idempotency-Key.'
    : null
