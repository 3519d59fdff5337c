import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { formatCount } from '../../format-count.ts'
import type { ExaminationContext } from './examination-context.ts'

const Count = responseSchema(Type.Integer())
const Groups = responseSchema(Type.Array(Type.Object({ default_code: Type.String(), __count: Type.Integer() })))
const MAX_NAMES = 10

/** Checks the records that the shop sells: codes that are missing or shared, prices of 0, price lists in other currencies. */
export async function checkProducts(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, settings, facts, call } = context
  const own = ['company_id', 'in', [false, settings.company ?? 1]]
  const count = (model: string, domain: unknown[]) =>
    rpc.call(Count, `${model}/search_count`, { domain: [own, ...domain] }, call())
  const onSale = [['sale_ok', '=', true]]
  const [sold, uncoded, free, foreign, shared] = await Promise.all([
    count('product.product', [...onSale, ['default_code', '!=', false]]),
    count('product.product', [...onSale, ['default_code', '=', false]]),
    count('product.product', [...onSale, ['default_code', '!=', false], ['list_price', '=', 0]]),
    count('product.pricelist', [['currency_id.name', '!=', facts.currency]]),
    rpc.call(
      Groups,
      'product.product/formatted_read_group',
      {
        domain: [own, ...onSale, ['default_code', '!=', false]],
        groupby: ['default_code'],
        aggregates: ['__count'],
        having: [['__count', '>', 1]],
      },
      call(),
    ),
  ])
  const findings: DoctorFinding[] = []
  const add = (isFound: boolean, ...finding: Parameters<typeof createFinding>) => {
    if (isFound) findings.push(createFinding(...finding))
  }
  add(
    sold === 0,
    'error',
    'no_products',
    'no product is for sale',
    'Give products an Internal Reference, and check "Sales"',
  )
  add(sold > 0, 'note', 'products', `${formatCount(sold, 'product is', 'products are')} for sale`, '')
  add(
    uncoded > 0,
    'warning',
    'no_sku',
    `${formatCount(uncoded, 'product for sale has', 'products for sale have')} no Internal Reference: the shop does not show ${uncoded === 1 ? 'it' : 'them'}`,
    'Give each product an Internal Reference. When a template gets a new attribute, its variants lose theirs',
  )
  const names = shared.slice(0, MAX_NAMES).map(({ default_code }) => default_code)
  add(
    shared.length > 0,
    'warning',
    'duplicate_sku',
    `${formatCount(shared.length, 'Internal Reference occurs', 'Internal References occur')} more than once: ${names.join(', ')}`,
    'Give each product its own: the shop shows the oldest one',
  )
  add(
    free > 0,
    'warning',
    'no_price',
    `${formatCount(free, 'product has the price 0: it', 'products have the price 0: they')} cannot be bought`,
    'Set the Sales Price',
  )
  add(
    foreign > 0,
    'warning',
    'price_list_currency',
    `${formatCount(foreign, 'price list is', 'price lists are')} not in ${facts.currency}: customers with such a list, or with one based on it, see no prices`,
    `Use price lists in ${facts.currency} for customers of the shop`,
  )
  return findings
}
