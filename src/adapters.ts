import { odoo } from '../adapters/odoo/adapter.ts'
import { rest } from '../adapters/rest/adapter.ts'
import { tryton } from '../adapters/tryton/adapter.ts'
import type { Adapter } from './ports/adapter.ts'

/** The adapters that a configuration may name. */
export const adapters: Readonly<Record<string, Adapter>> = Object.freeze({
  odoo: odoo as Adapter,
  rest: rest as Adapter,
  tryton: tryton as Adapter,
})
