/** The error of a bad line. The message is for the user who imports the file. */
export class ImportFieldError extends Error {}

/** The error of a file that cannot be read any further. */
export class ImportReadError extends ImportFieldError {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}
