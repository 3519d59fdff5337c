import { expect } from 'chai'
import { writeAuditEntry } from '../../../src/storage/operators/audit-log.ts'
import { describeOutages } from './describe-outages.ts'
import { MINUTE_MS, toClock } from './outage-times.ts'

describeOutages('what people did at a time', (outages) => {
  it('is found in Audit with times as the pages show them', async () => {
    const { db, clock, readText } = outages()
    const at = clock.ms
    const entry = { operator: 'till', role: 'operator', action: 'test.try', address: null, outcome: 'done' } as const
    for (const offset of [-1, 0, 1])
      await writeAuditEntry(db, { ...entry, target: { n: `try${offset}` } }, at + offset * MINUTE_MS)
    clock.ms = at + 2 * MINUTE_MS
    const tries = async (query: string) =>
      (await readText(`/audit?action=test.try&${query}`)).match(/try-?\d/g)?.toSorted() ?? []
    const [from, to] = [toClock(at - 1_000), toClock(at + 1_000)]
    expect(await tries(new URLSearchParams({ from, to }).toString())).to.deep.equal(['try0'])
    expect(await tries(`from=${encodeURIComponent(from)}`)).to.deep.equal(['try0', 'try1'])
    expect(await readText('/audit?from=yesterday')).to.include('A time was not understood, so it was ignored.')
  })
})
