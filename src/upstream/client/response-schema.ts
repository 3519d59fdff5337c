import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { UpstreamError } from '../../errors.ts'
import type { ResponseSchema } from '../../ports/http-client.ts'

/** Compiling takes milliseconds: each schema is compiled once for all tenants, and a command that calls no system compiles none. */
const compiled = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known) return known
  const validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** Checks values against a loose TypeBox schema of a system's response. A value that does not match is an `invalid` response. */
export function responseSchema<S extends TSchema>(schema: S): ResponseSchema<Static<S>> {
  return {
    parse(value) {
      const validator = validatorOf(schema)
      if (validator.Check(value)) return value as Static<S>
      const [first] = validator.Errors(value)
      throw new UpstreamError(
        'invalid',
        `unexpected response at ${first?.instancePath || '/'}: ${first?.message ?? 'no fit'}`,
      )
    },
  }
}
