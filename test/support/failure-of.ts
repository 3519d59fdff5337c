import { expect } from 'chai'
import { UpstreamError } from '../../src/errors.ts'

/** Returns the failure that a call of a system rejected with. */
export async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const outcome = await call.then(
    () => 'it did not reject',
    (error: unknown) => error,
  )
  expect(outcome).to.be.instanceOf(UpstreamError)
  return outcome as UpstreamError
}
