import type { Static, TSchema } from 'typebox'
import type { protocol } from './upstream-protocol.ts'

export type System = keyof typeof protocol

type Read<O, Part extends string> = O extends Record<Part, infer S extends TSchema> ? Static<S> : undefined

/** What answers each call of a system's protocol, held to the protocol by the compiler. */
export type Handlers<S extends System> = {
  [Id in keyof (typeof protocol)[S]]: (input: {
    params: Read<(typeof protocol)[S][Id], 'params'>
    query: Read<(typeof protocol)[S][Id], 'query'>
    body: Read<(typeof protocol)[S][Id], 'body'>
  }) => Read<(typeof protocol)[S][Id], 'answer'>
}

/** A change from the control listener: the key in the path and the checked body. Answers what is now kept. */
export type Change = (key: string, body: unknown) => object

/** One account in one system: its calls, and the changes that the control listener may make (products, stock, prices, orders). */
export interface Books<S extends System> {
  handlers: Handlers<S>
  changes: Record<string, Change>
  /** What the control listener may look at, by the first segment of the path; the next is the key. */
  reads?: Record<string, (key: string | undefined) => object>
  /** How late the answer that was just made goes out; 0 when it is asked again. */
  takeLateMs?: () => number
}
