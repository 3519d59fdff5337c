import { expect } from 'chai'
import { createCall } from '../../../support/create-call.ts'
import { requirements } from '../requirement.ts'
import type { CompletePorts } from '../test-bench.ts'

export const parallelCallerRequirements = requirements('parallel callers', [
  'get the results of single calls',
  ['inventory.items', 'pricing.prices', 'accounting.taxes'],
  async (bench) => {
    const { skus } = bench.facts
    const asked = Array.from({ length: 24 }, (_, i) => skus.filter((_, at) => at !== i % skus.length))
    const read = async ({ inventory, pricing, accounting }: CompletePorts, some: string[]) => {
      const [items, prices, taxes] = await Promise.all([
        inventory.items(some, { product: true, stock: false }, createCall()),
        pricing.prices(some, null, createCall()),
        accounting.taxes(some, null, createCall()),
      ])
      return { items, prices: prices.map(({ as_of: _, ...price }) => price), taxes }
    }
    const alone = new Map<string, unknown>()
    for (const some of asked.slice(0, skus.length)) alone.set(some.join(), await read(bench, some))
    await using anew = bench.connect()
    const together = await Promise.all(asked.map((some) => read(anew, some)))
    for (const [i, answer] of together.entries()) expect(answer).to.deep.equal(alone.get(asked[i]!.join()))
  },
])
