import { UpstreamError } from '../../../src/errors.ts'

/** Returns the failure of a call that a wrong setting prevents. `cause` is shown to operators: it has no text of Odoo. */
export const settingError = (cause: string, options: { cause?: unknown } = {}): UpstreamError =>
  new UpstreamError('misconfigured', cause, { ...options, summary: cause })

/** Returns the failure of calls to a database that does not exist, or that no setting names. */
export const unknownDatabaseError = (database: string | undefined, cause: unknown): UpstreamError =>
  settingError(
    database === undefined
      ? 'Odoo serves several databases or none, and the setting database names none'
      : `Odoo has no database "${database}" (setting database)`,
    { cause },
  )
