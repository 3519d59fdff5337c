import type { Static, TSchema } from 'typebox'
import type { SandboxSystem, upstreamProtocol } from './upstream-protocol.ts'

type StaticOf<O, Part extends string> = O extends Record<Part, infer S extends TSchema> ? Static<S> : undefined

/** One handler for each operation of a system, with the types of the protocol. */
export type OperationHandlers<S extends SandboxSystem> = {
  [Id in keyof (typeof upstreamProtocol)[S]]: (input: {
    params: StaticOf<(typeof upstreamProtocol)[S][Id], 'params'>
    query: StaticOf<(typeof upstreamProtocol)[S][Id], 'query'>
    body: StaticOf<(typeof upstreamProtocol)[S][Id], 'body'>
  }) => StaticOf<(typeof upstreamProtocol)[S][Id], 'response'>
}
