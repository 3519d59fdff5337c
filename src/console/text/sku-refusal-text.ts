import type { RequestRecord } from '../../diagnostics/reports/request-records.ts'
import type { SkuRefusal } from '../../errors.ts'
import type { System } from '../../ports/system.ts'

interface ReasonText {
  text: string
  /** The system that can change that. */
  system: System
}

const reasonTexts: Readonly<Record<SkuRefusal['reason'], ReasonText>> = {
  no_price: { text: 'pricing had no price for it', system: 'pricing' },
  not_in_inventory: { text: 'inventory did not have it', system: 'inventory' },
  withdrawn: { text: 'it was withdrawn from sale in inventory', system: 'inventory' },
  no_stock_record: { text: 'inventory had no stock record of it', system: 'inventory' },
  out_of_stock: { text: 'it was out of stock in inventory', system: 'inventory' },
  refused_by_accounting: { text: 'accounting refused to sell it', system: 'accounting' },
}

type Refused = Pick<RequestRecord, 'refusedSkus' | 'skuRefusals'>

/** Returns why a SKU was refused; `null`: not known. */
export function describeSkuRefusal({ skuRefusals = [] }: Refused, sku: string): string | null {
  const found = skuRefusals.find((refusal) => refusal.sku === sku)
  return found ? reasonTexts[found.reason].text : null
}

/** Returns the systems whose data decided that SKUs were refused; all that may have, if the reasons are not known. */
export function listRefusingSystems({ refusedSkus = [], skuRefusals = [] }: Refused): System[] {
  if (refusedSkus.length === 0) return []
  if (skuRefusals.length === 0) return ['inventory', 'pricing']
  return [...new Set(skuRefusals.map(({ reason }) => reasonTexts[reason].system))]
}

const MAX_SKUS = 3

/** Names SKUs that requests were refused for, each with its reason; empty: none is known. */
export function nameRefusedSkus(records: readonly Refused[]): string {
  const named = records.flatMap((record) =>
    (record.refusedSkus ?? []).map((sku) => {
      const reason = describeSkuRefusal(record, sku)
      return reason ? `${sku} (${reason})` : sku
    }),
  )
  const distinct = [...new Set(named)]
  const more = distinct.length - MAX_SKUS
  return [...distinct.slice(0, MAX_SKUS), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
