import type { Call } from '../../src/ports/call.ts'

/** Creates a call as a port receives it, with a time limit and a signal of the test. */
export function createCall(options: { timeoutMs?: number; signal?: AbortSignal; requestId?: string } = {}): Call {
  const { timeoutMs = 30_000, signal = new AbortController().signal, requestId = 'req-1' } = options
  return { signal, requestId, timeoutMs: () => timeoutMs }
}
