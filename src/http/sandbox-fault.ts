import type { UpstreamFailure } from '../errors.ts'
import { type SourceName, sourceNames } from '../ports/system.ts'
import type { RequestedFaults } from '../upstream/request-scope.ts'

const failures: Readonly<Record<string, UpstreamFailure>> = {
  timeout: 'timeout',
  error: 'error',
  unavailable: 'unavailable',
  invalid: 'invalid',
}

const NONE: RequestedFaults = {}
const MAX_LENGTH = 256

/** Reads `X-Sandbox-Fault: pricing=timeout, inventory=error`: the systems that fail for this request of a sandbox key. Unknown entries are ignored. */
export function readSandboxFaults(header: string | string[] | undefined, mode: string): RequestedFaults {
  if (typeof header !== 'string' || header.length > MAX_LENGTH || mode !== 'sandbox') return NONE
  const faults: RequestedFaults = {}
  for (const entry of header.split(',')) {
    const [system, kind = ''] = entry.split('=').map((part) => part.trim().toLowerCase())
    const failure = Object.hasOwn(failures, kind) ? failures[kind] : undefined
    if (failure && sourceNames.includes(system as SourceName)) faults[system as SourceName] = failure
  }
  return faults
}

export const hasSandboxFaults = (faults: RequestedFaults) => Object.keys(faults).length > 0
