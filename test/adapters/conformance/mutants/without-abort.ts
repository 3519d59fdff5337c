import type { Call } from '../../../../src/ports/call.ts'

/** Returns a call that its caller cannot abort. */
export const withoutAbort = (call: Call): Call => ({ ...call, signal: new AbortController().signal })
