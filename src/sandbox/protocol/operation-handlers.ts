import type { Static, TSchema } from 'typebox'
import type { upstreamProtocol } from './upstream-protocol.ts'

export type SandboxSystem = keyof typeof upstreamProtocol

type Read<O, Part extends string> = O extends Record<Part, infer S extends TSchema> ? Static<S> : undefined

/** What answers each call of a system's protocol, held to the protocol by the compiler. */
export type OperationHandlers<S extends SandboxSystem> = {
  [Id in keyof (typeof upstreamProtocol)[S]]: (input: {
    params: Read<(typeof upstreamProtocol)[S][Id], 'params'>
    query: Read<(typeof upstreamProtocol)[S][Id], 'query'>
    body: Read<(typeof upstreamProtocol)[S][Id], 'body'>
  }) => Read<(typeof upstreamProtocol)[S][Id], 'answer'>
}

/** A change from the control listener: the key in the path and the checked body. Answers what is now kept. */
export type ControlChange = (key: string, body: unknown) => object

/** One account in one system: its calls, and the changes that the control listener may make (products, stock, prices, orders). */
export interface AccountSystem<S extends SandboxSystem> {
  handlers: OperationHandlers<S>
  changes: Record<string, ControlChange>
  /** What the control listener may look at, by the first segment of the path; the next is the key. */
  reads?: Record<string, (key: string | undefined) => object>
  /** How late the answer that was just made goes out; 0 when it is asked again. */
  takeLateMs?: () => number
}
