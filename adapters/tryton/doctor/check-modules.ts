import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import type { System } from '../../../src/ports/system.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import type { TrytonSettings } from '../settings.ts'
import type { ExaminationContext } from './examination-context.ts'

const Modules = responseSchema(Type.Array(Type.Object({ name: Type.String() })))

interface Module {
  name: string
  systems: readonly System[]
  severity: DoctorFinding['severity']
  /** Follows "the module … is not activated: ". */
  without: string
  /** Returns true when these settings need the module; undefined when all do. */
  isNeeded?(settings: TrytonSettings): boolean
}

const usesAttributes = ({ brand_attribute, mpn_attribute, option_attributes }: TrytonSettings) =>
  Boolean(brand_attribute ?? mpn_attribute ?? option_attributes)

const modules: readonly Module[] = [
  { name: 'product', systems: ['inventory', 'pricing'], severity: 'error', without: 'there are no products' },
  { name: 'stock', systems: ['inventory'], severity: 'error', without: 'there is no stock' },
  {
    name: 'sale',
    systems: ['inventory', 'pricing', 'accounting'],
    severity: 'error',
    without: 'products are not marked for sale, and there are no orders',
  },
  {
    name: 'account_product',
    systems: ['pricing', 'accounting'],
    severity: 'error',
    without: 'products have no taxes',
  },
  { name: 'account_invoice', systems: ['accounting'], severity: 'error', without: 'there are no invoices' },
  {
    name: 'web_shop',
    systems: ['accounting'],
    severity: 'error',
    without: 'Forecourt cannot place an order exactly once, so it rejects orders',
  },
  {
    name: 'account_credit_limit',
    systems: ['accounting'],
    severity: 'warning',
    without: 'there is no credit status, and no customer may buy on credit terms',
  },
  {
    name: 'sale_credit_limit',
    systems: ['accounting'],
    severity: 'warning',
    without: 'Tryton itself does not enforce credit limits when an order is confirmed',
  },
  {
    name: 'sale_price_list',
    systems: ['pricing'],
    severity: 'warning',
    without: 'all customers pay list prices',
  },
  {
    name: 'product_attribute',
    systems: ['inventory'],
    severity: 'error',
    isNeeded: usesAttributes,
    without: 'the settings brand_attribute, mpn_attribute and option_attributes have no effect',
  },
  {
    name: 'sale_secondary_unit',
    systems: ['inventory'],
    severity: 'note',
    without: 'products are sold in one unit only, not also by the box',
  },
  {
    name: 'sale_promotion',
    systems: ['pricing'],
    severity: 'note',
    without: 'there are no promotions',
  },
  {
    name: 'sale_promotion_coupon',
    systems: ['pricing'],
    severity: 'note',
    without: 'there are no promotion codes',
  },
  {
    name: 'sale_shipment_cost',
    systems: ['accounting'],
    severity: 'note',
    without: 'there are no delivery options, and orders have no delivery costs',
  },
]

/** Reports required modules that are not activated. */
export async function checkModules(context: ExaminationContext): Promise<DoctorFinding[]> {
  const required = modules.filter(
    ({ systems, isNeeded }) => hasAnySystem(context, ...systems) && (isNeeded?.(context.settings) ?? true),
  )
  const domain = [
    ['name', 'in', required.map(({ name }) => name)],
    ['state', '=', 'activated'],
  ]
  const rows = await context.rpc(Modules, 'ir.module.search_read', [domain, 0, null, null, ['name']], context.call())
  const activated = new Set(rows.map(({ name }) => name))
  return required
    .filter(({ name }) => !activated.has(name))
    .map(({ name, severity, without }) =>
      createFinding(
        severity,
        `module ${name}`,
        `the module ${name} is not activated: ${without}`,
        `Install tryton-modules-${name.replaceAll('_', '-')} and activate ${name} (trytond-admin -u ${name} --activate-dependencies)`,
      ),
    )
}
