import type { Adapter } from '../ports/adapter.ts'

/** The adapters that a configuration may name, by their names. */
export type AdapterRegistry = Readonly<Record<string, Adapter>>

export const findAdapter = (name: string, adapters: AdapterRegistry): Adapter | undefined =>
  Object.hasOwn(adapters, name) ? adapters[name] : undefined
