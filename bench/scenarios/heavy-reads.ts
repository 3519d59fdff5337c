import { createLoadClient } from '../load/load-client.ts'
import { quantile, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { startMirroredForecourt } from './start-mirrored-forecourt.ts'

const REQUESTS = 40
const WORDS = Array.from({ length: 60 }, (_, index) => `w${index}`).join('+')
const MISSPELT = 'brakke+fliter+alternater+radiatr+batery+stearing+suspensoin+thermostaat'
const FACETS = 'facets=brand,category,tag,availability,price'

/** Reads that are the most work for one request. `number` makes each of them another one. */
const reads: Record<string, (number: number) => string> = {
  'a product': (number) => `/v1/products/SKU-${1_000 + number}`,
  'the largest page': (number) => `/v1/products?limit=200&max_price=9${number}0000`,
  'five facets': (number) => `/v1/products?limit=200&${FACETS}&max_price=9${number}0000`,
  'many words': (number) => `/v1/products?q=${number}+${WORDS}`,
  'a prefix of every number': (number) => `/v1/products?q=sku${number % 10}&limit=200`,
  '100 categories': (number) => `/v1/products?${manyCategories(number)}&limit=200`,
  '200 SKUs': (number) => `/v1/products?skus=${manySkus(number)}&limit=200`,
  'by name': (number) => `/v1/products?sort=name&limit=200&max_price=8${number}0000`,
  'a deep page': (number) => `/v1/products?offset=${10_000 + number}&limit=200`,
  'a page of changes': (number) => `/v1/products?updated_since=2020-01-01T00:00:${10 + number}Z&limit=200`,
  'a suggestion': (number) => `/v1/suggest?q=sku${number}`,
  'suggestions for misspelt words': (number) => `/v1/suggest?q=${number}+${MISSPELT}`,
  'digits that no number has': (number) => `/v1/products?q=98765${number}`,
  categories: () => '/v1/categories',
}

const manyCategories = (number: number) =>
  Array.from({ length: 100 }, (_, index) => `category=cat-${number * 100 + index}`).join('&')
const manySkus = (number: number) => Array.from({ length: 200 }, (_, index) => `SKU-${number * 200 + index}`).join()

/** HEAVY READS: for how long single reads of a large catalog hold the event loop. */
export async function measureHeavyReads({ short, ...options }: ScenarioOptions): Promise<ScenarioResult> {
  const products = options.products ?? (short ? 20_000 : 200_000)
  await using forecourt = await startMirroredForecourt(products)
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 1)
  const figures: Record<string, object> = {}
  for (const [name, toPath] of Object.entries(reads)) {
    await client.get(toPath(REQUESTS))
    await forecourt.process.request({ loop: 'start' })
    const responses = []
    for (let number = 0; number < REQUESTS; number++) responses.push(await client.get(toPath(number)))
    const loop = await forecourt.process.request<{ maxMs: number; maxCpuMs: number }>({ loop: 'stop' })
    const ms = responses.map((response) => response.ms)
    figures[name] = {
      p50Ms: round(quantile(ms, 0.5), 2),
      maxMs: round(Math.max(...ms), 2),
      loopMaxMs: round(loop.maxMs),
      loopMaxCpuMs: round(loop.maxCpuMs),
      failed: responses.filter(({ status }) => status !== 200).length,
    }
  }
  return { name: 'heavy-reads', tables: [toTable(products, figures)], figures }
}

function toTable(products: number, figures: Record<string, object>): ReportTable {
  return {
    title: `HEAVY READS: ${products} products in the mirror`,
    note: `${REQUESTS} requests of each kind, one after another; loop: the longest delay of a timer in the process meanwhile, and the most CPU time of its thread between two timers`,
    columns: ['read', 'p50 ms', 'max ms', 'loop max ms', 'loop CPU ms', 'failed'],
    rows: Object.entries(figures).map(([name, figure]) => [name, ...Object.values(figure).map(String)]),
  }
}
