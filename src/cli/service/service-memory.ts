import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toWorkerCount } from '../../config/conversion/worker-count.ts'
import { parseYaml } from '../../config/yaml/parse-yaml.ts'
import { DEFAULT_CONFIG_FILE } from '../default-config-file.ts'
import { serviceFolders } from './service-layout.ts'

/** The settings that decide how much memory the service takes. */
export interface ServiceMemorySettings {
  cacheMib: number
  /** `null`: one process without workers. */
  workers: number | null
  hasSandbox: boolean
}

const DEFAULTS: ServiceMemorySettings = { cacheMib: 256, workers: null, hasSandbox: false }
/** What a server takes besides its caches, with a mirror of half a million products. */
const SERVER_MIB = 450
/** The first fill of a mirror, by one process at a time. */
const FILL_MIB = 300
const PRIMARY_MIB = 150
const SANDBOX_MIB = 350
/** Enough for one server with the default settings, and for short commands. */
const MIN_MIB = 2_048
const ROUND_TO_MIB = 256

/** Returns the most memory that the service takes, in MiB. While a configuration is loaded again, there are two sets of workers. */
export function toServiceMemoryMib({ cacheMib, workers, hasSandbox }: ServiceMemorySettings): number {
  const servers = workers === null ? 1 : 2 * workers
  const besides = FILL_MIB + (workers === null ? 0 : PRIMARY_MIB) + (hasSandbox ? SANDBOX_MIB : 0)
  const neededMib = servers * (cacheMib + SERVER_MIB) + besides
  return Math.max(MIN_MIB, Math.ceil(neededMib / ROUND_TO_MIB) * ROUND_TO_MIB)
}

/**
 * Reads the settings from the configuration below `root`. Wrong values have their defaults, because `serve` names the mistakes. Throws ConfigError
 * for invalid YAML.
 */
export function readServiceMemorySettings(root: string): ServiceMemorySettings {
  const path = join(root, serviceFolders.configuration, DEFAULT_CONFIG_FILE)
  if (!existsSync(path)) return DEFAULTS
  const file = parseYaml(readFileSync(path, 'utf8'), path).value as {
    cache?: { max_mib?: unknown } | null
    workers?: unknown
    embedded_sandbox?: unknown
  } | null
  const cacheMib = Number(file?.cache?.max_mib)
  const workers =
    typeof file?.workers === 'string' || typeof file?.workers === 'number' ? toWorkerCount(file.workers) : 0
  return {
    cacheMib: cacheMib > 0 ? cacheMib : DEFAULTS.cacheMib,
    workers: workers > 0 ? workers : DEFAULTS.workers,
    hasSandbox: file?.embedded_sandbox === true,
  }
}
