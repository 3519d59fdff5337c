import type { UpstreamError } from '../../../../src/errors.ts'
import type { Operation } from '../operations.ts'
import type { CompletePorts } from '../test-bench.ts'

/** Changes an adapter. */
export type Mutate = (ports: CompletePorts) => CompletePorts

type Method<O extends Operation> = O extends `${infer P extends keyof CompletePorts}.${infer M}`
  ? Extract<CompletePorts[P][M & keyof CompletePorts[P]], (...asked: never[]) => Promise<unknown>>
  : never
type Asked<O extends Operation> = Parameters<Method<O>>
type Result<O extends Operation> = Awaited<ReturnType<Method<O>>>
type Ask<O extends Operation> = (...asked: Asked<O>) => Promise<Result<O>>

/** Replaces a method of a port. */
export function changeMethod<O extends Operation>(
  operation: O,
  change: (method: Ask<O>, ports: CompletePorts) => Ask<O>,
): Mutate {
  return (ports) => {
    const [port, method] = operation.split('.') as [keyof CompletePorts, string]
    const own = ports[port] as unknown as Record<string, Ask<O>>
    return { ...ports, [port]: { ...own, [method]: change(own[method]!, ports) } }
  }
}

/** Changes what a method of a port returns. */
export function changeResult<O extends Operation>(
  operation: O,
  change: (result: Result<O>, ...asked: Asked<O>) => Result<O>,
): Mutate {
  return changeMethod(
    operation,
    (method) =>
      (...asked) =>
        method(...asked).then((result) => change(result, ...asked)),
  )
}

/** Changes how a method of a port fails: `change` throws another error, or returns a result. */
export function changeFailure<O extends Operation>(operation: O, change: (error: UpstreamError) => Result<O>): Mutate {
  return changeMethod(
    operation,
    (method) =>
      (...asked) =>
        method(...asked).catch(change),
  )
}

/** Changes members of ports that are not methods. */
export const changePort =
  <P extends keyof CompletePorts>(port: P, members: Partial<CompletePorts[P]>): Mutate =>
  (ports) => ({ ...ports, [port]: { ...ports[port], ...members } })

/** Makes both changes, the first one closer to the system. */
export const both =
  (first: Mutate, second: Mutate): Mutate =>
  (ports) =>
    second(first(ports))
