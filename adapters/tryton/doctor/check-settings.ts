import { Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding, formatNameList, hasAnySystem } from './check.ts'
import { checkCountry } from './check-country.ts'

const Named = responseSchema(
  Type.Array(
    Type.Object({ id: TrytonId, name: nullable(Type.String()), code: Type.Optional(nullable(Type.String())) }),
  ),
)

/** Settings that name nothing in this database. */
export async function checkSettings(looker: CheckContext): Promise<Finding[]> {
  const inventory = hasAnySystem(looker, 'inventory')
  const found = await Promise.all([
    inventory ? lookAtWarehouse(looker) : [],
    inventory ? lookAtRoots(looker) : [],
    inventory ? lookAtAttributes(looker) : [],
    hasAnySystem(looker, 'accounting') ? lookAtCashTerm(looker) : [],
    hasAnySystem(looker, 'accounting') ? checkCountry(looker) : [],
  ])
  return found.flat()
}

async function lookAtWarehouse(looker: CheckContext): Promise<Finding[]> {
  const { warehouse } = looker.settings
  const rows = await named('stock.location', [['type', '=', 'warehouse']], looker, ['name', 'code'])
  if (rows.some(({ name, code }) => warehouse === undefined || name === warehouse || code === warehouse)) return []
  const there = formatNameList(rows.map(({ name, code }) => (code ? `${name} (${code})` : `${name}`))) || 'none'
  const what = warehouse === undefined ? 'there is no warehouse' : `there is no warehouse "${warehouse}"`
  return [
    createFinding(
      'error',
      'warehouse',
      what,
      `Set {path}.warehouse to the name or code of one that is there: ${there}`,
    ),
  ]
}

/** A root that the settings name must be there; the usual ones may be missing, and their part of the catalog with them. */
async function lookAtRoots(looker: CheckContext): Promise<Finding[]> {
  const { catalog_root, tags_root } = looker.settings
  const domain = [
    ['parent', '=', null],
    ['accounting', '=', false],
  ]
  const roots = (await named('product.category', domain, looker)).map(({ name }) => name ?? '')
  const there = formatNameList(roots) || 'none'
  const missing = (setting: string, value: string, explicit: boolean, without: string, usual: Finding['severity']) =>
    roots.includes(value)
      ? []
      : [
          createFinding(
            explicit ? 'error' : usual,
            setting,
            `there is no category "${value}" at the top: ${without}`,
            `Set {path}.${setting} to a category without a parent (there are: ${there}), or make one`,
          ),
        ]
  return [
    ...missing(
      ...(['catalog_root', catalog_root ?? 'Catalog', catalog_root !== undefined] as const),
      ...(['the storefront has no categories', 'warning'] as const),
    ),
    ...missing(
      ...(['tags_root', tags_root ?? 'Tags', tags_root !== undefined] as const),
      ...(['products have no tags', 'note'] as const),
    ),
  ]
}

async function lookAtAttributes(looker: CheckContext): Promise<Finding[]> {
  const { settings } = looker
  const wanted = (['brand_attribute', 'mpn_attribute'] as const).filter((setting) => settings[setting] !== undefined)
  if (wanted.length === 0) return []
  if (!(await isThere('product.attribute', looker))) return []
  const names = (await named('product.attribute', [], looker)).map(({ name }) => name ?? '')
  return wanted
    .filter((setting) => !names.includes(settings[setting]!))
    .map((setting) =>
      createFinding(
        'error',
        setting,
        `there is no attribute "${settings[setting]}" of products`,
        `Set {path}.${setting} to the name (not the label) of an attribute: ${formatNameList(names) || 'there are none'}`,
      ),
    )
}

async function lookAtCashTerm(looker: CheckContext): Promise<Finding[]> {
  const { cash_term } = looker.settings
  if (cash_term === undefined || !(await createCapabilities(looker.rpc, Date.now).has('invoices', looker.call())))
    return []
  const names = (await named('account.invoice.payment_term', [], looker)).map(({ name }) => name ?? '')
  if (names.includes(cash_term)) return []
  return [
    createFinding(
      'error',
      'cash_term',
      `there is no payment term "${cash_term}"`,
      `Set {path}.cash_term to one that is there: ${formatNameList(names) || 'none'}`,
    ),
  ]
}

async function isThere(model: string, { rpc, call }: CheckContext): Promise<boolean> {
  const params = [[['model', '=', model]], 0, 1, null, ['name']]
  return (await rpc(Named, 'ir.model.search_read', params, call())).length > 0
}

function named(model: string, domain: unknown[], { rpc, call }: CheckContext, fields = ['name']) {
  return rpc(Named, `${model}.search_read`, [domain, 0, 1_000, [['id', 'ASC']], fields], call())
}
