import type { UpstreamError, UpstreamFailure } from '../../errors.ts'

const usualCauses: Record<UpstreamFailure, string> = {
  timeout: 'no response in time',
  unavailable: 'could not be reached',
  error: 'responded with an error',
  invalid: 'response could not be read',
  rejected: 'rejected the request',
  unauthorized: 'refused the login',
  misconfigured: 'a setting of Forecourt does not fit the system',
  rate_limited: 'rate limit of the system exceeded',
  circuit_open: 'circuit open: no call was made',
  maintenance: 'planned maintenance: no call was made',
  overloaded: 'queue full: no call was made',
  not_configured: 'not offered by this system',
  aborted: 'aborted: no request was waiting for it',
}

/** Returns the reason of a failure, as operators may see it. */
export const failureCause = ({ failure, summary }: UpstreamError) => summary ?? usualCauses[failure]
