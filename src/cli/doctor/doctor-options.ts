import type { Mode } from '../../config/config.ts'
import { type PortName, portNames } from '../../ports/system.ts'
import { UsageError } from '../usage-error.ts'

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

/** What the options say, judged. */
export interface DoctorSelection {
  only: readonly PortName[]
  mode: Mode | undefined
  sample: number
  timeoutMs: number | undefined
  withinMs: number
}

const WITHIN_SECONDS = 120
const WITHIN_SECONDS_FOR_ALL = 1_800

export function parseDoctorOptions({ mode, system, sample, timeout, within }: DoctorOptions): DoctorSelection {
  const all = sample === 'all'
  const seconds = all ? WITHIN_SECONDS_FOR_ALL : WITHIN_SECONDS
  return {
    only: system === undefined ? portNames : system.split(',').map((name) => systemNamed(name.trim())),
    mode: mode === undefined ? undefined : modeNamed(mode),
    sample: all ? Infinity : whole('--sample', sample, 0, 1_000_000),
    timeoutMs: timeout === undefined ? undefined : whole('--timeout', timeout, 10, 600_000),
    withinMs: 1_000 * (within === undefined ? seconds : whole('--within', within, 1, 86_400)),
  }
}

function systemNamed(name: string): PortName {
  const found = portNames.find((system) => system === name)
  if (!found) throw new UsageError(`There is no system "${name}": ${portNames.join(', ')}`)
  return found
}

function modeNamed(name: string): Mode {
  if (name === 'live' || name === 'sandbox') return name
  throw new UsageError(`--mode is live or sandbox, not "${name}"`)
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  const or = option === '--sample' ? ', or all' : ''
  throw new UsageError(`${option} takes a whole number from ${least} to ${most}${or}, not "${text}"`)
}
