import { UpstreamError } from '../../../src/errors.ts'

const TRIES = 20

/** Retries a call while its failure is retryable, as Forecourt does for writes. */
export async function retryWhileRetryable<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.retryable || tries === TRIES) throw error
    }
  }
}
