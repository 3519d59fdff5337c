/** An error that the sandbox returns to its caller: a 4xx status with `{"error": code, "detail": message}`. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.name = 'HttpError'
    this.status = status
    this.code = code
  }
}
