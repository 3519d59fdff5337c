import { expect } from 'chai'
import { createLocalDay } from '../../src/calendar/local-day.ts'

describe('a day', () => {
  it('is that of the merchant', () => {
    const instant = new Date('2026-03-02T03:30:00Z')
    const days = ['America/Jamaica', 'UTC', 'Pacific/Kiritimati'].map((zone) => createLocalDay(zone)(instant))
    expect(days).to.deep.equal(['2026-03-01', '2026-03-02', '2026-03-02'])
    expect(createLocalDay('Pacific/Kiritimati')(new Date('2026-03-02T10:00:00Z'))).to.equal('2026-03-03')
  })

  it('begins at midnight where the merchant is', () => {
    const day = createLocalDay('Asia/Kathmandu')
    const days = ['2026-03-01T18:14:59.999Z', '2026-03-01T18:15:00Z', '2026-03-01T18:14:59Z'].map((time) =>
      day(new Date(time)),
    )
    expect(days).to.deep.equal(['2026-03-01', '2026-03-02', '2026-03-01'])
  })
})
