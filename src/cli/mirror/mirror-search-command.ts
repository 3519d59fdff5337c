import { statSync } from 'node:fs'
import { readCurrentMirror, toMirrorFolder } from '../../catalog/mirror/file/mirror-folder.ts'
import type { MirrorProduct } from '../../catalog/mirror/file/mirror-row.ts'
import { openMirrorFileReader } from '../../catalog/mirror/read/mirror-file-reader.ts'
import { createMirrorThreads } from '../../catalog/mirror/threads/mirror-threads.ts'
import { readCommandConfig } from '../command-config.ts'
import { formatCountedNoun } from '../format-counts.ts'
import { parseIntegerOption } from '../parse-option.ts'
import { print, printJson } from '../print.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { type MirrorCommandOptions, requireMirroredTenant } from './mirror-tenants.ts'

interface MirrorSearchOptions extends MirrorCommandOptions {
  limit?: string
}

const MAX_LIMIT = 200
const CACHE_BYTES = 16 * 1_048_576

/** Searches the mirror of this machine, and prints the products in the order in which shoppers see them. */
export async function runMirrorSearch(merchant: string, text: string, options: MirrorSearchOptions): Promise<void> {
  const limit = parseIntegerOption('--limit', options.limit ?? '20', { min: 1, max: MAX_LIMIT })
  const config = readCommandConfig(options.config)
  const tenant = requireMirroredTenant(config, merchant, options)
  const folder = toMirrorFolder(config.dataDirectory, tenant)
  const path = readCurrentMirror(folder)
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined
  using reader = isThere ? openMirrorFileReader(path, CACHE_BYTES) : null
  if (!reader)
    throw new UsageError(
      `There is no mirror at ${path} yet. Run this on a machine where a server of ${config.name} runs`,
    )
  const settings = config.merchantConfig(merchant)?.mirror ?? {}
  await using threads = createMirrorThreads({ settings: { [folder]: settings } })
  const { ids, total, corrected, closest } = await threads.search(path, { q: text, limit, offset: 0 })
  const products = reader.products(reader.skusOf(ids)).filter((found) => found !== null)
  if (options.json) {
    const fewerWords = closest && { q: closest.q, left_out: closest.leftOut, total: closest.total }
    return printJson({ total, corrected, closest: fewerWords, data: products.map(toResult) })
  }
  if (corrected !== null) print(`Nothing was found for "${text}". These are the results for "${corrected}".`)
  if (closest)
    print(
      `Without ${closest.leftOut.map((word) => `"${word}"`).join(', ')}, ${formatCountedNoun(closest.total, 'product')} would be found: "${closest.q}".`,
    )
  print(`${formatCountedNoun(total, 'product')}${total > products.length ? `, the first ${products.length}` : ''}`)
  if (products.length === 0) return
  printTable(
    ['place', 'sku', 'price', 'band', 'name'],
    products
      .map(toResult)
      .map(({ sku, name, price, band }, at) => [String(at + 1), sku, price ?? '-', band ?? '-', name]),
  )
}

const toResult = ({ product, price, availability }: MirrorProduct) => ({
  sku: product.sku,
  name: product.name,
  price: price?.list_amount ?? null,
  band: availability?.band ?? null,
})
