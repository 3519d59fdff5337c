import { availableParallelism } from 'node:os'

/** A number, or `auto`. A variable of the environment is text. */
export type WorkersSetting = number | string

/** One worker for each core. */
export const AUTO_WORKERS = 'auto'

/** Returns the number of workers that a valid setting means on this machine. */
export const toWorkerCount = (setting: WorkersSetting): number =>
  setting === AUTO_WORKERS ? availableParallelism() : Number(setting)
