import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { UpstreamError } from '../../errors.ts'
import type { ResponseSchema } from '../../ports/http-client.ts'

/** Compiles a loose TypeBox schema of a system's response. A value that does not match is an `invalid` response. */
export function responseSchema<S extends TSchema>(schema: S): ResponseSchema<Static<S>> {
  const validator = Compile(schema)
  return {
    parse(value) {
      if (validator.Check(value)) return value as Static<S>
      const [first] = validator.Errors(value)
      throw new UpstreamError(
        'invalid',
        `unexpected response at ${first?.instancePath || '/'}: ${first?.message ?? 'no fit'}`,
      )
    },
  }
}
