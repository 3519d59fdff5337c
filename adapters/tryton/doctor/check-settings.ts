import { Type } from 'typebox'
import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { nullable, TrytonId } from '../client/tryton-values.ts'
import { checkDefaultCountry } from './check-default-country.ts'
import type { ExaminationContext } from './examination-context.ts'
import { modelNameField } from './model-name-field.ts'

const NamedRows = responseSchema(
  Type.Array(
    Type.Object({ id: TrytonId, name: nullable(Type.String()), code: Type.Optional(nullable(Type.String())) }),
  ),
)

/** Reports settings that name something that does not exist in this database. */
export async function checkSettings(context: ExaminationContext): Promise<DoctorFinding[]> {
  const hasInventory = hasAnySystem(context, 'inventory')
  const findings = await Promise.all([
    hasInventory ? checkWarehouse(context) : [],
    hasInventory ? checkCategoryRoots(context) : [],
    hasInventory ? checkAttributes(context) : [],
    hasAnySystem(context, 'accounting') ? checkCashTerm(context) : [],
    hasAnySystem(context, 'accounting') && context.series >= 7.6 ? checkWebShop(context) : [],
    hasAnySystem(context, 'accounting') ? checkDefaultCountry(context) : [],
  ])
  return findings.flat()
}

async function checkWarehouse(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { warehouse } = context.settings
  const rows = await readNames('stock.location', [['type', '=', 'warehouse']], context, ['name', 'code'])
  if (rows.some(({ name, code }) => warehouse === undefined || name === warehouse || code === warehouse)) return []
  const existing = abbreviateList(rows.map(({ name, code }) => (code ? `${name} (${code})` : `${name}`))) || 'none'
  const problem = warehouse === undefined ? 'there is no warehouse' : `there is no warehouse "${warehouse}"`
  return [
    createFinding(
      'error',
      'warehouse',
      problem,
      `Set {path}.warehouse to the name or code of an existing one: ${existing}`,
    ),
  ]
}

/** Checks the root categories. A configured one must exist; a default one may be missing, and its part of the catalog with it. */
async function checkCategoryRoots(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { catalog_root, tags_root } = context.settings
  const domain = [
    ['parent', '=', null],
    ['accounting', '=', false],
  ]
  const roots = (await readNames('product.category', domain, context)).map(({ name }) => name ?? '')
  const existing = abbreviateList(roots) || 'none'
  const findMissingRoot = (
    setting: string,
    value: string,
    explicit: boolean,
    without: string,
    defaultSeverity: DoctorFinding['severity'],
  ) =>
    roots.includes(value)
      ? []
      : [
          createFinding(
            explicit ? 'error' : defaultSeverity,
            setting,
            `there is no top-level category "${value}": ${without}`,
            `Set {path}.${setting} to a category without a parent (existing: ${existing}), or create one`,
          ),
        ]
  return [
    ...findMissingRoot(
      'catalog_root',
      catalog_root ?? 'Catalog',
      catalog_root !== undefined,
      'the storefront has no categories',
      'warning',
    ),
    ...findMissingRoot('tags_root', tags_root ?? 'Tags', tags_root !== undefined, 'products have no tags', 'note'),
  ]
}

async function checkAttributes(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { brand_attribute, mpn_attribute, option_attributes = {} } = context.settings
  const attributeSettings = [
    ['brand_attribute', brand_attribute] as const,
    ['mpn_attribute', mpn_attribute] as const,
    ...Object.keys(option_attributes).map((name) => ['option_attributes', name] as const),
  ].flatMap(([setting, name]) => (name === undefined ? [] : { setting, name }))
  if (attributeSettings.length === 0) return []
  if (!(await modelExists('product.attribute', context))) return []
  const names = (await readNames('product.attribute', [], context)).map(({ name }) => name ?? '')
  return attributeSettings
    .filter(({ name }) => !names.includes(name))
    .map(({ setting, name }) =>
      createFinding(
        'error',
        setting,
        `there is no product attribute "${name}"`,
        `Set {path}.${setting} to the name (not the label) of an attribute: ${abbreviateList(names) || 'there are none'}`,
      ),
    )
}

async function checkCashTerm(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { cash_term } = context.settings
  if (cash_term === undefined || !(await createCapabilities(context.rpc, Date.now).has('invoices', context.call())))
    return []
  const names = (await readNames('account.invoice.payment_term', [], context)).map(({ name }) => name ?? '')
  if (names.includes(cash_term)) return []
  return [
    createFinding(
      'error',
      'cash_term',
      `there is no payment term "${cash_term}"`,
      `Set {path}.cash_term to an existing one: ${abbreviateList(names) || 'none'}`,
    ),
  ]
}

/** Reports when it is not clear to which web shop orders belong: since 7.6, a Web ID is unique only within a web shop. */
async function checkWebShop(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { web_shop, company } = context.settings
  // Another check reports the missing module.
  if (!(await modelExists('web.shop', context))) return []
  const rows = await readNames('web.shop', [['company', '=', company ?? 1]], context)
  if (rows.filter(({ name }) => web_shop === undefined || name === web_shop).length === 1) return []
  const existing = abbreviateList(rows.map(({ name }) => name ?? ''))
  return [
    createFinding(
      'error',
      'web_shop',
      web_shop === undefined ? `there are ${rows.length} web shops` : `there is no web shop "${web_shop}"`,
      existing
        ? `Set {path}.web_shop to the one that orders belong to: ${existing}`
        : 'Create a web shop in Tryton: orders cannot be placed without one',
    ),
  ]
}

async function modelExists(model: string, { rpc, call, series }: ExaminationContext): Promise<boolean> {
  const params = [[[modelNameField(series), '=', model]], 0, 1, null, ['name']]
  return (await rpc(NamedRows, 'ir.model.search_read', params, call())).length > 0
}

function readNames(model: string, domain: unknown[], { rpc, call }: ExaminationContext, fields = ['name']) {
  return rpc(NamedRows, `${model}.search_read`, [domain, 0, 1_000, [['id', 'ASC']], fields], call())
}
