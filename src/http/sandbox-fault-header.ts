import { InvalidInput, type UpstreamFailure } from '../errors.ts'
import { type SourceName, sourceNames } from '../ports/system.ts'
import type { RequestedFaults } from '../upstream/request/requested-faults.ts'

const failures = ['timeout', 'error', 'unavailable', 'invalid'] as const satisfies UpstreamFailure[]

const fault = `(${sourceNames.join('|')})=(${failures.join('|')})`
/** What the header may contain, as OpenAPI shows it. */
export const SANDBOX_FAULT_PATTERN = `^${fault}(, ?${fault})*$`
const NONE: RequestedFaults = {}
const MAX_ECHOED_LENGTH = 256
const INVALID_FAULT = `X-Sandbox-Fault should list faults as <system>=<failure>, such as pricing=timeout. Systems: ${sourceNames.join(', ')}. Failures: ${failures.join(', ')}`

/** Reads `X-Sandbox-Fault: pricing=timeout, inventory=error`: the systems that fail for this request of a sandbox key. Throws InvalidInput for unknown ones. */
export function readSandboxFaults(header: string | string[] | undefined, mode: string): RequestedFaults {
  if (typeof header !== 'string' || mode !== 'sandbox') return NONE
  const entries = header.split(',').map((entry) => entry.trim())
  const faults = entries.filter(Boolean).map((entry) => ({ entry, fault: parseFault(entry) }))
  const unknown = faults.flatMap(({ entry, fault }) => (fault ? [] : [entry]))
  if (unknown.length > 0) throw createUnknownFaultsError(unknown.join(', '))
  return Object.fromEntries(faults.map(({ fault }) => fault!))
}

function parseFault(entry: string): [SourceName, UpstreamFailure] | null {
  const [name, kind, ...more] = entry.split('=').map((part) => part.trim().toLowerCase())
  const system = sourceNames.find((known) => known === name)
  const failure = failures.find((known) => known === kind)
  return system && failure && more.length === 0 ? [system, failure] : null
}

const createUnknownFaultsError = (entries: string) =>
  new InvalidInput([
    {
      type: 'sandbox_fault_invalid',
      loc: ['header', 'X-Sandbox-Fault'],
      msg: INVALID_FAULT,
      input: entries.slice(0, MAX_ECHOED_LENGTH),
    },
  ])

export const hasSandboxFaults = (faults: RequestedFaults) => Object.keys(faults).length > 0
