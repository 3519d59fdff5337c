import { type PortName, portNames } from '../../ports/system.ts'
import { type Mode, modes } from '../../tenant.ts'
import { parseChoiceOption, parseIntegerOption, parseSystemList } from '../parse-option.ts'

export interface DoctorOptions {
  config?: string
  merchant?: string
  mode?: string
  system?: string
  customer?: string
  sample: string
  timeout?: string
  within?: string
  strict?: boolean
  json?: boolean
  sandboxPort?: number
}

/** The parsed options. */
export interface DoctorSelection {
  only: readonly PortName[]
  mode: Mode | undefined
  /** The number of products to check. */
  sample: number
  timeoutMs: number | undefined
  withinMs: number
}

const WITHIN_SECONDS = 120
const WITHIN_SECONDS_FOR_ALL = 1_800

export function parseDoctorOptions({ mode, system, sample, timeout, within }: DoctorOptions): DoctorSelection {
  const checksAll = sample === 'all'
  const defaultSeconds = checksAll ? WITHIN_SECONDS_FOR_ALL : WITHIN_SECONDS
  const withinSeconds =
    within === undefined ? defaultSeconds : parseIntegerOption('--within', within, { min: 1, max: 86_400 })
  return {
    only: system === undefined ? portNames : parseSystemList(system, portNames),
    mode: mode === undefined ? undefined : parseChoiceOption('--mode', mode, modes),
    sample: checksAll
      ? Infinity
      : parseIntegerOption('--sample', sample, { min: 0, max: 1_000_000, alternative: 'all' }),
    timeoutMs: timeout === undefined ? undefined : parseIntegerOption('--timeout', timeout, { min: 10, max: 600_000 }),
    withinMs: 1_000 * withinSeconds,
  }
}
