import { UpstreamError, type UpstreamFailure } from '../../errors.ts'
import type { SourceName } from '../../ports/system.ts'

/** The failures that X-Sandbox-Fault requested for one request, by system. */
export type RequestedFaults = Partial<Record<SourceName, UpstreamFailure>>

/** Returns the error for a failure that X-Sandbox-Fault requested. */
export function simulatedFailure(fault: UpstreamFailure, system: SourceName): UpstreamError {
  const summary = 'requested by X-Sandbox-Fault'
  return new UpstreamError(fault, summary, { summary, simulated: true, system })
}
