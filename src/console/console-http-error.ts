/** An HTTP error whose message is shown on the error page. */
export class ConsoleHttpError extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.name = 'ConsoleHttpError'
    this.status = status
    this.headers = headers
  }
}
