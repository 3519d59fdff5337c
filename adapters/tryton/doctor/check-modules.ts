import { Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import type { System } from '../../../src/ports/system.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { TrytonSettings } from '../settings.ts'
import { type CheckContext, createFinding, hasAnySystem } from './check.ts'

const Modules = responseSchema(Type.Array(Type.Object({ name: Type.String() })))

interface Module {
  name: string
  systems: readonly System[]
  severity: Finding['severity']
  /** Read after "the module … is not activated: ". */
  without: string
  /** Whether these settings need it; without this, all do. */
  needed?(settings: TrytonSettings): boolean
}

const attributes = (settings: TrytonSettings) => Boolean(settings.brand_attribute ?? settings.mpn_attribute)

const modules: readonly Module[] = [
  { name: 'product', systems: ['inventory', 'pricing'], severity: 'error', without: 'there are no products' },
  { name: 'stock', systems: ['inventory'], severity: 'error', without: 'there is no stock' },
  {
    ...{ name: 'sale', systems: ['inventory', 'pricing', 'accounting'], severity: 'error' },
    without: 'products are not marked for sale, and there are no orders',
  },
  {
    ...{ name: 'account_product', systems: ['pricing', 'accounting'], severity: 'error' },
    without: 'products have no taxes',
  },
  { name: 'account_invoice', systems: ['accounting'], severity: 'error', without: 'there are no invoices' },
  {
    ...{ name: 'web_shop', systems: ['accounting'], severity: 'error' },
    without: 'orders cannot be placed exactly once, and are not taken',
  },
  {
    ...{ name: 'account_credit_limit', systems: ['accounting'], severity: 'warning' },
    without: 'there is no credit status, and nobody may buy on credit terms',
  },
  {
    ...{ name: 'sale_credit_limit', systems: ['accounting'], severity: 'warning' },
    without: 'Tryton itself does not hold credit limits when an order is confirmed',
  },
  {
    ...{ name: 'sale_price_list', systems: ['pricing'], severity: 'warning' },
    without: 'all customers pay list prices',
  },
  {
    ...{ name: 'product_attribute', systems: ['inventory'], severity: 'error', needed: attributes },
    without: 'brand_attribute and mpn_attribute of the settings name nothing',
  },
  {
    ...{ name: 'sale_secondary_unit', systems: ['inventory'], severity: 'note' },
    without: 'products are sold in one unit, not by the box as well',
  },
  {
    ...{ name: 'sale_promotion', systems: ['pricing'], severity: 'note' },
    without: 'there are no promotions',
  },
  {
    ...{ name: 'sale_promotion_coupon', systems: ['pricing'], severity: 'note' },
    without: 'there are no promotion codes',
  },
]

/** What the server's modules do not bring. */
export async function checkModules(looker: CheckContext): Promise<Finding[]> {
  const wanted = modules.filter(
    ({ systems, needed }) => hasAnySystem(looker, ...systems) && (needed?.(looker.settings) ?? true),
  )
  const domain = [
    ['name', 'in', wanted.map(({ name }) => name)],
    ['state', '=', 'activated'],
  ]
  const rows = await looker.rpc(Modules, 'ir.module.search_read', [domain, 0, null, null, ['name']], looker.call())
  const there = new Set(rows.map(({ name }) => name))
  return wanted
    .filter(({ name }) => !there.has(name))
    .map(({ name, severity, without }) =>
      createFinding(
        severity,
        `module ${name}`,
        `the module ${name} is not activated: ${without}`,
        `Install tryton-modules-${name.replaceAll('_', '-')} and activate ${name} (trytond-admin -u ${name} --activate-dependencies)`,
      ),
    )
}
