/** The error of a connection that is not attempted: the host has no address (`dns`), or must not be connected to (`url_not_allowed`). */
export class EgressRefusedError extends Error {
  readonly refusal: 'dns' | 'url_not_allowed'
  constructor(refusal: EgressRefusedError['refusal']) {
    super(refusal)
    this.refusal = refusal
  }
}
