/** Tryton stamps a change with the start of its transaction, and gunicorn allows a request 120 s until it is committed. */
export const LATE_COMMIT_SECONDS = 120
