import { UpstreamError } from '../../../src/errors.ts'

export function parsePartyId(customerId: string): number {
  if (/^[1-9]\d{0,14}$/.test(customerId)) return Number(customerId)
  throw new UpstreamError('rejected', 'the id of a customer in Tryton is a number')
}
