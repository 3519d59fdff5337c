import type { Static, TSchema } from 'typebox'
import type { upstreamProtocol } from './upstream-protocol.ts'

export type SandboxSystem = keyof typeof upstreamProtocol

type StaticOf<O, Part extends string> = O extends Record<Part, infer S extends TSchema> ? Static<S> : undefined

/** One handler for each operation of a system, with the types of the protocol. */
export type OperationHandlers<S extends SandboxSystem> = {
  [Id in keyof (typeof upstreamProtocol)[S]]: (input: {
    params: StaticOf<(typeof upstreamProtocol)[S][Id], 'params'>
    query: StaticOf<(typeof upstreamProtocol)[S][Id], 'query'>
    body: StaticOf<(typeof upstreamProtocol)[S][Id], 'body'>
  }) => StaticOf<(typeof upstreamProtocol)[S][Id], 'response'>
}

/** Makes a change requested by the control API: the key from the path, and the validated body. Returns the stored document. */
export type ControlChange = (key: string, body: unknown) => object

/** One account in one system: its operations, and the changes and reads of the control API. */
export interface AccountSystem<S extends SandboxSystem> {
  handlers: OperationHandlers<S>
  controlChanges: Record<string, ControlChange>
  /** Reads of the control API, by the first segment of the path; the second one is the key. */
  controlReads?: Record<string, (key: string | undefined) => object>
  /** Returns the delay of the response that was just created, and resets it to 0. */
  takeResponseDelayMs?: () => number
}
