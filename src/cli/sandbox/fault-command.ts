import { systems } from '../../ports/system.ts'
import { ControlError, clearFaults, setFault } from '../../sandbox/control/control-client.ts'
import type { Fault } from '../../sandbox/control/fault-injection.ts'
import { parseIntegerOption, parseNumberOption, parseSystem, splitList } from '../parse-option.ts'
import { print } from '../print.ts'
import { DEFAULT_SANDBOX_PORT } from '../sandbox-ports.ts'
import { formatSandboxCommand } from '../suggested-command-lines.ts'
import { UsageError } from '../usage-error.ts'
import { createSystemUnavailableError, toControlUrl } from './control-target.ts'

export interface SandboxFaultOptions {
  delay?: string
  hang?: boolean
  errorRate?: string
  status?: string
  garbage?: boolean
  refuse?: boolean
  dropAfter?: string
  late?: string
  lateRate?: string
  onlyCalls?: string
  clear?: boolean
  sandboxPort?: number
}

const MAX_DELAY_MS = 600_000

/** Makes a running embedded system fail until --clear. */
export async function runSandboxFault(name: string, options: SandboxFaultOptions): Promise<void> {
  const system = parseSystem(name, systems)
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const controlUrl = toControlUrl(system, firstPort)
  const fault = parseFault(options)
  const { only: _, ...failures } = fault
  if (!options.clear && Object.keys(failures).length === 0) {
    throw new UsageError(
      'Name a fault: --delay 500, --hang, --error-rate 0.5, --status 503, --garbage, --refuse, --drop-after 0.2 or --late 2000; or --clear',
    )
  }
  try {
    await (options.clear ? clearFaults(controlUrl) : setFault(controlUrl, fault))
  } catch (error) {
    if (error instanceof ControlError)
      throw new UsageError(`The embedded ${system} system refused the fault: ${error.detail}`)
    throw createSystemUnavailableError(system, firstPort, error)
  }
  print(
    options.clear
      ? `${system} has no faults.`
      : `${system} has the fault ${JSON.stringify(fault)}. Clear it with: ${formatSandboxCommand(firstPort)} fault ${system} --clear`,
  )
}

function parseFault(options: SandboxFaultOptions): Fault {
  const { delay, errorRate, status, dropAfter, late, lateRate, onlyCalls } = options
  return {
    ...(delay !== undefined && { delay_ms: parseDelay('--delay', delay) }),
    ...(options.hang && { hang: true }),
    ...(errorRate !== undefined && { error_rate: parseNumberOption('--error-rate', errorRate, 0, 1) }),
    ...(status !== undefined && { status: parseIntegerOption('--status', status, { min: 500, max: 599 }) }),
    ...(options.garbage && { garbage: true }),
    ...(options.refuse && { refuse: true }),
    ...(dropAfter !== undefined && { drop_after: parseNumberOption('--drop-after', dropAfter, 0, 1) }),
    ...(late !== undefined && { late_ms: parseDelay('--late', late) }),
    ...(lateRate !== undefined && { late_rate: parseNumberOption('--late-rate', lateRate, 0, 1) }),
    ...(onlyCalls !== undefined && { only: splitList(onlyCalls) }),
  }
}

const parseDelay = (option: string, text: string) => parseIntegerOption(option, text, { min: 0, max: MAX_DELAY_MS })
