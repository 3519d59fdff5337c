import { Problem } from '../../errors.ts'

export const createTooLargeError = (limit: number) =>
  new Problem('payload_too_large', `The request body is larger than ${limit / 1_024} KiB.`)
