import type { TSchema } from 'typebox'
import type { Json } from './json-object.ts'

/** Returns the JSON Schema of a schema; one with a name is collected as a component, and returned as a reference. */
export type CollectSchema = (schema: TSchema | Json) => Json
