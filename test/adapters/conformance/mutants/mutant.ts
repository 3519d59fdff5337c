import type { UpstreamError } from '../../../../src/errors.ts'
import type { Call } from '../../../../src/ports/call.ts'
import type { Operation } from '../operations.ts'
import type { Facts } from '../subject.ts'
import type { CompletePorts } from '../test-bench.ts'

export type Mutate = (ports: CompletePorts) => CompletePorts

/** An adapter with one mistake, and the requirement that it does not meet. */
export interface Mutant {
  mistake: string
  /** The group of the requirement, and words of its title. */
  requirement: [of: string, what: string]
  mutate: Mutate
  /** What the adapter `rest` or its merchant lacks for the requirement. With it, the adapter without the mistake is tested too. */
  setting?: { facts?: Partial<Facts>; complete?: Mutate }
  /** The operations that are examined, for a requirement of all operations. */
  operations?: readonly Operation[]
}

type Row = [mistake: string, what: string, mutate: Mutate, more?: Pick<Mutant, 'setting' | 'operations'>]

/** Returns mutants that requirements of one group must find. */
export function mutantsOf(of: string, ...rows: Row[]): Mutant[] {
  return rows.map(([mistake, what, mutate, more]) => ({ mistake, requirement: [of, what], mutate, ...more }))
}

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

export const withoutAbort = (call: Call): Call => ({ ...call, signal: new AbortController().signal })

let made = 0
/** Returns a reference that was not used before. */
export function another(reference: string): string {
  made += 1
  return `${reference}-${made}`
}

/** Returns a decimal string as a binary number, which the port does not allow. */
export const toNumber = (decimal: string) => Number(decimal) as unknown as string
