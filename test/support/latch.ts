/** What a test blocks until it opens the latch, or until its block ends, also when an assertion fails: then nothing waits for the test. */
export interface Latch extends Disposable {
  readonly opened: Promise<void>
  open(): void
}

export function createLatch(): Latch {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve, [Symbol.dispose]: resolve }
}
