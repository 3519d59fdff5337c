import { toTrytonDatetime } from './tryton-values.ts'

/** A domain of records that were created or written at or after a time, or whose related records were. */
export function changedSinceDomain(since: number, ...paths: string[]): unknown[] {
  const from = toTrytonDatetime(since)
  const dates = paths.flatMap((path) => [`${path}write_date`, `${path}create_date`])
  return ['OR', ...dates.map((field) => [[field, '>=', from]])]
}
