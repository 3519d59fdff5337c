import type { Call, CallInput, CallOptions, Operation } from './call.ts'
import { type OperationTypes, operations } from './generated/operations.gen.ts'
import type { ListProductsData, ProductChanges, ProductList } from './generated/types.gen.ts'

export type OperationName = keyof OperationTypes
/** The operations that a publishable key may call. */
export type BrowserOperationName = {
  [Name in OperationName]: (typeof operations)[Name] extends { server: true } ? never : Name
}[OperationName]

type Members<Part> = [Part] extends [undefined] ? unknown : NonNullable<Part>
type Body<Data> = Data extends { body: infer In }
  ? { body: In }
  : Data extends { body?: infer In }
    ? OptionalBody<In>
    : unknown
type OptionalBody<In> = [In] extends [undefined] ? unknown : { body?: In }

/** The input of an operation: the members of its path and of its query, and `body`. */
export type InputOf<Data extends { path?: unknown; query?: unknown }> = Members<Data['path']> &
  Members<Data['query']> &
  Body<Data>

export type Method<Input, Result> =
  Record<never, never> extends Input
    ? (input?: Input, options?: CallOptions) => Promise<Result>
    : (input: Input, options?: CallOptions) => Promise<Result>

type ListInput = Omit<NonNullable<ListProductsData['query']>, 'updated_since'>
/** A list with `updated_since` has another form. */
interface ListProducts {
  (input: ListInput & { updated_since: string }, options?: CallOptions): Promise<ProductChanges>
  (input?: ListInput & { updated_since?: undefined }, options?: CallOptions): Promise<ProductList>
}

export type OperationMethods<Names extends OperationName> = {
  [Name in Names]: Name extends 'listProducts'
    ? ListProducts
    : Method<InputOf<OperationTypes[Name]['data']>, Exclude<OperationTypes[Name]['result'], void>>
}

/** Returns a method for each operation that a key of this kind may call. */
export function createMethods<Names extends OperationName>(
  call: Call,
  mayCall: (operation: Operation) => boolean,
): OperationMethods<Names> {
  const methods = Object.entries<Operation>(operations)
    .filter(([, operation]) => mayCall(operation))
    .map(([name, operation]) => [
      name,
      (input: CallInput = {}, options: CallOptions = {}) => call(operation, input, options),
    ])
  return Object.fromEntries(methods)
}
