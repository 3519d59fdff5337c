/** Thrown before a connection is tried: its host has no address, or may not be connected to. */
export class EgressRefusedError extends Error {
  readonly refusal: 'dns' | 'url_not_allowed'
  constructor(refusal: EgressRefusedError['refusal']) {
    super(refusal)
    this.refusal = refusal
  }
}
