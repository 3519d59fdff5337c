import { Problem } from '../../errors.ts'

export const createTooLargeError = (limit: number) =>
  new Problem(
    'payload_too_large',
    `The request body is larger than ${limit / 1_024} KiB, the limit of this call. Split a long list into several calls, and omit members that the call does not have.`,
  )
