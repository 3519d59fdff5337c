/** Too many searches wait for the search thread. The mirror itself can be read. */
export class SearchQueueFullError extends Error {
  constructor() {
    super('too many searches wait for the catalog mirror')
  }
}
