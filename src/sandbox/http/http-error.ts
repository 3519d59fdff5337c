/** A call that the embedded back office answers with a 4xx and this JSON. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, detail: string) {
    super(detail)
    this.name = 'Refusal'
    this.status = status
    this.code = code
  }
}
