import { toTrytonDatetime } from './tryton-values.ts'

/** Tryton stamps a change with the start of its transaction, and gunicorn allows a request 120 s until it is committed. */
export const LATE_COMMIT_SECONDS = 120

/** A domain of records that were created or written at or after a time, or whose related records were. */
export function changedSinceDomain(since: number, ...paths: string[]): unknown[] {
  const from = toTrytonDatetime(since)
  const dates = paths.flatMap((path) => [`${path}write_date`, `${path}create_date`])
  return ['OR', ...dates.map((field) => [[field, '>=', from]])]
}
