/** A command line that cannot be followed: its message says what to do instead. */
export class UsageError extends Error {}
