import { setFlagsFromString } from 'node:v8'

/** Node flags that Forecourt starts with: without them the young generation grows to a hundred megabytes. */
export const nodeFlags = ['--max-semi-space-size=16'] as const

/**
 * Lets each thread collect its young generation alone. On a busy core, V8's helper threads take more CPU time from the event loop than they
 * save: about a twentieth of that of a list. They also have the priority of the event loop when they help a background thread.
 */
export const collectWithoutHelpers = (): void => setFlagsFromString('--no-parallel-scavenge')
