import { InvalidInput } from '../errors.ts'

/** `loc`: where the value is: "body" or "query", and the path in it. */
export function createInvalidInput(type: string, loc: string[], msg: string, given: unknown): InvalidInput {
  const input = loc
    .slice(1)
    .reduce<unknown>((within, name) => (within as Record<string, unknown> | null)?.[name] ?? null, given)
  return new InvalidInput([{ type, loc, msg, input }])
}
