import { runWrk } from '../load/wrk.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { compareHotReads, compareLoads, targetOf, type Variant } from './compare-variants.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'
import { ANY_PRICE, listPath, startMirroredForecourt } from './start-mirrored-forecourt.ts'

const CONNECTIONS = 50
/** MIRROR READS: distinct products and distinct lists, from the mirror and, in the same rounds, from the systems. */
export async function measureMirrorReads({ short, ...options }: ScenarioOptions): Promise<ScenarioResult> {
  const products = options.products ?? (short ? 100_000 : 200_000)
  await using mirrored = await startMirroredForecourt(products)
  await using plain = await startForecourtWithStubs()
  const variants: Variant[] = [
    { name: 'mirror', forecourt: mirrored },
    { name: 'mirror: off', forecourt: plain },
  ]
  // Each round begins where the last one of the variant has ended.
  const compare = (title: string, path: string, mirrorFilter = '') => {
    const next = new Map<Variant, number>()
    return compareLoads(
      title,
      variants,
      async (variant, seconds) => {
        const from = next.get(variant) ?? 0
        const filter = variant.forecourt === mirrored ? mirrorFilter : ''
        const load = { ...targetOf(variant.forecourt), path: path + filter, from, connections: CONNECTIONS, seconds }
        const result = await runWrk(load)
        next.set(variant, from + result.requests + CONNECTIONS)
        return result
      },
      short,
    )
  }
  const before = await mirrored.upstreams()
  const cold = await compare('COLD: distinct SKUs', `/v1/products/SKU-%${products}d`)
  const lists = await compare('LISTS: distinct queries, pages of 50', listPath(products), ANY_PRICE)
  const after = await mirrored.upstreams()
  const hot = await compareHotReads(variants, short)
  return {
    name: 'mirror-reads',
    tables: [cold.table, lists.table, hot.table],
    figures: { cold: cold.figures, lists: lists.figures, hot: hot.figures, upstreamCalls: { before, after } },
  }
}
