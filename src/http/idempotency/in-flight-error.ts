import { Problem } from '../../errors.ts'

export const createInFlightError = () =>
  new Problem('idempotency_in_flight', undefined, { headers: { 'Retry-After': '1' } })
