import type { TSchema } from 'typebox'
import type { JsonObject } from './json-object.ts'

/** Returns the JSON Schema of a schema; one with a name is collected as a component, and returned as a reference. */
export type CollectSchema = (schema: TSchema | JsonObject) => JsonObject
