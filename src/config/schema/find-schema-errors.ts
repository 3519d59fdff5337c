import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'

const MAX_ERRORS = 200

/** Lists where a value does not match the schema: up to 200 errors, more than typebox reports by default. */
export function findSchemaErrors(schema: TSchema, value: unknown) {
  const { maxErrors } = Settings.Get()
  Settings.Set({ maxErrors: MAX_ERRORS })
  const errors = Compile(schema).Errors(value)
  Settings.Set({ maxErrors })
  return errors.filter((error) => error.keyword !== 'boolean')
}
