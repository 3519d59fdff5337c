/** The error of an invalid command line. Its message says what to do instead. */
export class UsageError extends Error {}
