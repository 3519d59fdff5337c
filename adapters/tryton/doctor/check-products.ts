import { type Static, Type } from 'typebox'
import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { nullable, TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import type { ExaminationContext } from './examination-context.ts'

const CodedRow = Type.Object({ id: TrytonId, code: nullable(Type.String()), active: TrytonBoolean })
const CodedRows = responseSchema(Type.Array(CodedRow))
const Price = Type.Optional(nullable(TrytonDecimal))
const PricedRow = Type.Object({
  id: TrytonId,
  code: nullable(Type.String()),
  list_price: Price,
  'template.': Type.Optional(Type.Object({ list_price: Price })),
  'account_category.': Type.Optional(
    nullable(Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) })),
  ),
})
const PricedRows = responseSchema(Type.Array(PricedRow))
const Count = responseSchema(Type.Integer())

/** A page small enough for one call. */
const PAGE_SIZE = 1_000
/** The maximum number of products whose codes are checked. */
const MAX_CODES = 100_000
const MAX_PRICED = 1_000
const FOR_SALE = [
  ['salable', '=', true],
  ['active', '=', true],
  ['template.active', '=', true],
]

/** Checks codes, sale prices and taxes of products. Tryton cannot search by price or tax, so those of the oldest products are read. */
export async function checkProducts(context: ExaminationContext): Promise<DoctorFinding[]> {
  const codes = hasAnySystem(context, 'inventory')
    ? [...(await checkCodes(context)), ...(await checkMissingCodes(context))]
    : []
  return hasAnySystem(context, 'pricing', 'accounting') ? [...codes, ...(await checkPricesAndTaxes(context))] : codes
}

async function checkCodes({ rpc, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const rows: Static<typeof CodedRow>[] = []
  for (let more = true; more && rows.length < MAX_CODES; ) {
    const domain = [
      ['id', '>', rows.at(-1)?.id ?? 0],
      ['code', '!=', null],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, PAGE_SIZE, [['id', 'ASC']], ['code', 'active']]
    const page = await rpc(CodedRows, 'product.product.search_read', params, call())
    for (const row of page) rows.push(row)
    more = page.length === PAGE_SIZE
  }
  return [...findDuplicates(rows), ...findSimilar(rows)]
}

/** Reports codes with several products. Tryton refuses two active products with one code, but accepts inactive ones. */
function findDuplicates(rows: readonly Static<typeof CodedRow>[]): DoctorFinding[] {
  const duplicates = [...Map.groupBy(rows, ({ code }) => code)].filter(([code, { length }]) => code && length > 1)
  if (duplicates.length === 0) return []
  const descriptions = duplicates.map(
    ([code, sameCode]) => `${code} (products ${sameCode.map(({ id }) => id).join(', ')})`,
  )
  return [
    createFinding(
      'warning',
      'duplicate_sku',
      `codes with several products (${duplicates.length}): ${abbreviateList(descriptions)}`,
      'Give inactive products their own codes. Until then, Forecourt prefers the active product, then the oldest',
    ),
  ]
}

/** Reports codes that differ only in case or spaces: two SKUs to Tryton, and one to a person who types them. */
function findSimilar(rows: readonly Static<typeof CodedRow>[]): DoctorFinding[] {
  const active = rows.filter(({ code, active }) => active && code)
  const similar = [...Map.groupBy(active, ({ code }) => code!.replace(/\s+/g, '').toLowerCase()).values()]
    .filter((sameCode) => sameCode.length > 1)
    .map((sameCode) => sameCode.map(({ id, code }) => `"${code}" (product ${id})`).join(' and '))
  if (similar.length === 0) return []
  return [
    createFinding(
      'warning',
      'similar_sku',
      `codes that differ only in case or spaces (${similar.length}): ${abbreviateList(similar)}`,
      'Give each product its own code, or deactivate the one that was created by mistake',
    ),
  ]
}

async function checkMissingCodes({ rpc, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const domain = [...FOR_SALE, ['OR', [['code', '=', null]], [['code', '=', '']]]]
  const count = await rpc(Count, 'product.product.search_count', [domain], call())
  if (count === 0) return []
  const remedy = 'Set their code in Tryton if the storefront should sell them: it is their SKU'
  return [
    createFinding('note', 'product_without_code', `products on sale without a code are not shown: ${count}`, remedy),
  ]
}

async function checkPricesAndTaxes({ rpc, call, systems }: ExaminationContext): Promise<DoctorFinding[]> {
  const domain = [...FOR_SALE, ['code', '!=', null], ['code', '!=', '']]
  const fields = ['code', 'list_price', 'template.list_price', 'account_category.customer_taxes_used']
  const params = [domain, 0, MAX_PRICED, [['id', 'ASC']], fields]
  const rows = await rpc(PricedRows, 'product.product.search_read', params, call())
  const findingFor = (
    check: string,
    sameCode: readonly Static<typeof PricedRow>[],
    problem: string,
    remedy: string,
  ): DoctorFinding[] => {
    if (sameCode.length === 0) return []
    const names = abbreviateList(sameCode.map(({ code }) => code ?? ''))
    const severity = sameCode.length > rows.length / 2 ? 'error' : 'warning'
    return [
      createFinding(severity, check, `${sameCode.length} of ${rows.length} products ${problem}: ${names}`, remedy),
    ]
  }
  const listPrice = ({ list_price, 'template.': template }: Static<typeof PricedRow>) => {
    const price = list_price ?? template?.list_price
    return price && Number(price.decimal)
  }
  const hasPricing = systems.includes('pricing')
  return [
    ...findingFor(
      'product_without_price',
      hasPricing ? rows.filter((row) => listPrice(row) == null) : [],
      'have no sale price in this company: they are shown without one and cannot be sold',
      'Set the sale price ("List Price") of the product in Tryton; if all are missing, check {path}.company',
    ),
    ...findingFor(
      'price_of_zero',
      hasPricing ? rows.filter((row) => listPrice(row) === 0) : [],
      'have a sale price of 0',
      'Set the sale price ("List Price") of the product in Tryton, or clear "Salable"',
    ),
    ...findingFor(
      'product_without_tax',
      systems.includes('accounting') ? rows.filter((row) => !row['account_category.']) : [],
      'have no accounting category, which defines their taxes: they cannot be sold',
      'Give the product an accounting category in Tryton (with no customer tax, if none is due)',
    ),
  ]
}
