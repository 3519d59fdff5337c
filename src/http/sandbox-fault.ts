import type { UpstreamFailure } from '../errors.ts'
import { type Source, sources } from '../ports/system.ts'
import type { Faults } from '../upstream/request-scope.ts'

const kinds: Readonly<Record<string, UpstreamFailure>> = {
  timeout: 'timeout',
  error: 'error',
  unavailable: 'unavailable',
  invalid: 'invalid',
}

const NONE: Faults = {}
const MAX_LENGTH = 256

/** `X-Sandbox-Fault: pricing=timeout, inventory=error`: systems that fail for this one request of a sandbox key. Others are ignored. */
export function faultsOf(header: string | string[] | undefined, mode: string): Faults {
  if (typeof header !== 'string' || header.length > MAX_LENGTH || mode !== 'sandbox') return NONE
  const faults: Faults = {}
  for (const entry of header.split(',')) {
    const [system, kind = ''] = entry.split('=').map((part) => part.trim().toLowerCase())
    const failure = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (failure && sources.includes(system as Source)) faults[system as Source] = failure
  }
  return faults
}

export const hasFaults = (faults: Faults) => Object.keys(faults).length > 0
