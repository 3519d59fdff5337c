import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { toGrowthPercent, toHeapLimit } from '../../src/operations/heap-growth-limit.ts'

const MB = 1e6

describe('the growth of the heap between two collections', () => {
  it('is V8’s choice while the heap can double twice below the limit, and small close to it', () => {
    expect(toGrowthPercent(500 * MB, { rss: 200 * MB, heapTotal: 100 * MB })).to.equal(0)
    expect(toGrowthPercent(500 * MB, { rss: 400 * MB, heapTotal: 100 * MB })).to.equal(50)
    expect(toGrowthPercent(500 * MB, { rss: 600 * MB, heapTotal: 100 * MB })).to.equal(10)
  })

  it('does not count the threads of mirrors as garbage', () => {
    const cap = 256 * MB
    const process = { rss: cap + 100 * MB, heapTotal: 100 * MB }
    const withThreads = { ...process, rss: process.rss + 150 * MB }
    expect(toGrowthPercent(toHeapLimit(cap, true), withThreads)).to.equal(
      toGrowthPercent(toHeapLimit(cap, false), process),
    )
  })
})

describe('the collection of the young generation', () => {
  it('has no helper threads', () => {
    const file = JSON.stringify(import.meta.resolve('../../src/operations/heap-growth-limit.ts'))
    const program = `
      const { collectWithoutHelpers } = await import(${file})
      collectWithoutHelpers()
      for (let lists = [], count = 0; count < 4e6; count++) lists[count % 5e4] = { count, list: [count] }
    `
    const flags = ['--max-semi-space-size=16', '--trace-gc', '--trace-parallel-scavenge']
    const traced = execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', program], {
      encoding: 'utf8',
    })
    // The first collections are those of the program's own modules, before the call.
    const collections = traced.split(' Scavenge ').slice(-9, -1)
    expect(collections.map((lines) => lines.split(' scavenge[').length - 1)).to.deep.equal(Array(8).fill(1))
  })
})
