import type { ConfigMistake } from '../config-error.ts'
import { AUTO_WORKERS, type WorkersSetting } from '../conversion/worker-count.ts'
import type { Environment } from '../environment/process-environment.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'

/** Far more than the cores of one machine: a larger number is probably a mistake. */
const MAX_WORKERS = 256
const REMEDY = `Give auto, for one worker per core, or a whole number from 1 to ${MAX_WORKERS}`
const IN_MEMORY = 'sqlite::memory:'

/** Finds an invalid number of workers in the file or in the environment, which takes precedence. */
export function findWorkerMistakes(file: UncheckedConfigFile, env: Environment): ConfigMistake[] {
  const { workers, store } = file ?? {}
  const invalid = [
    ...(workers === undefined || isWorkersSetting(workers) ? [] : [{ path: 'workers', mistake: 'is not valid' }]),
    ...(env.FORECOURT_WORKERS && !isWorkersSetting(env.FORECOURT_WORKERS)
      ? [{ path: 'workers', mistake: 'is not valid in the environment variable FORECOURT_WORKERS' }]
      : []),
  ].map((mistake) => ({ ...mistake, remedy: REMEDY }))
  if (invalid.length > 0 || store !== IN_MEMORY || !(env.FORECOURT_WORKERS || workers)) return invalid
  return [
    { path: 'workers', mistake: 'cannot share a store in memory', remedy: 'Give sqlite: and a path, or PostgreSQL' },
  ]
}

function isWorkersSetting(value: unknown): value is WorkersSetting {
  if (value === AUTO_WORKERS) return true
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && /^\d{1,3}$/.test(value))
  const count = Number(value)
  return isNumeric && Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS
}
