import { expect } from 'chai'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { findTimes } from '../../../src/console/search/find-times.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => NOW,
)
const find = (text: string, of = merchants, now = NOW) =>
  findTimes(of, text, now).map(({ name, href, note }) => [name, href, note])

describe('the search box, for a clock time', () => {
  it('offers the incidents around it, today or yesterday', () => {
    expect(find('14:05')).to.deep.equal([
      [
        'Incidents around 14:05',
        '/incidents?at=2026-11-21T14%3A05&zone=America%2FJamaica',
        '21 Nov 2026, 14:05:00 GMT-5',
      ],
    ])
    expect(find('19:46')[0]![1]).to.include('at=2026-11-20T19%3A46')
  })

  it('takes seconds, am and pm, and a day', () => {
    expect(find('9:05:22')[0]!.slice(0, 2)).to.deep.equal([
      'Incidents around 09:05:22',
      '/incidents?at=2026-11-21T09%3A05%3A22&zone=America%2FJamaica',
    ])
    expect(find('2:05 pm')[0]![0]).to.equal('Incidents around 14:05')
    expect(find('12:05 AM')[0]![0]).to.equal('Incidents around 00:05')
    expect(find('2026-11-02 19:46')[0]![1]).to.include('at=2026-11-02T19%3A46')
  })

  it('takes a time as pages write it, in any time zone', () => {
    for (const text of [
      '14:05:22 GMT-5',
      '19:05:22 UTC',
      '2026-11-21 19:05:22 UTC',
      '2026-11-21T19:05:22Z',
      '21 Nov 2026, 14:05:22 GMT-5',
      '21 Nov 2026, 20:05:22 GMT+1',
      '2026-11-21 14:05:22 America/Jamaica',
    ])
      expect(find(text), text).to.deep.equal([
        [
          'Incidents around 14:05:22',
          '/incidents?at=2026-11-21T14%3A05%3A22&zone=America%2FJamaica',
          '21 Nov 2026, 14:05:22 GMT-5',
        ],
      ])
    // 19:46 UTC has not come yet.
    expect(find('19:46:36 UTC')[0]![2]).to.equal('20 Nov 2026, 14:46:36 GMT-5')
  })

  it('takes the name of a time zone that pages write, also a name that means another one elsewhere', () => {
    const inLondon = createMerchantDirectory(
      [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'Europe/London', currency: 'GBP' }],
      () => NOW,
    )
    expect(find('2026-07-21 19:46:22 BST', inLondon)[0]![2]).to.equal('21 Jul 2026, 19:46:22 BST')
    expect(find('2026-07-21 19:46:22 EST')[0]![2]).to.equal('21 Jul 2026, 19:46:22 GMT-5')
  })

  it('offers yesterday in the hours around the end and the beginning of summer time', () => {
    const inTexas = createMerchantDirectory(
      [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Chicago', currency: 'USD' }],
      () => NOW,
    )
    const pathOf = (text: string, now: string) => find(text, inTexas, Date.parse(now))[0]![1]
    // 23:30 on a day of 25 hours.
    expect(pathOf('23:45', '2026-11-02T05:30:00.000Z')).to.include('at=2026-10-31T23%3A45')
    // 00:30 after a day of 23 hours.
    expect(pathOf('23:00', '2026-03-09T05:30:00.000Z')).to.include('at=2026-03-08T23%3A00')
  })

  it('takes nothing else for a time', () => {
    for (const text of [
      '19',
      '1946',
      '19:4',
      '25:10',
      '19:60',
      '13-19:46',
      'at 19:46',
      '2026-13-02 19:46',
      '19:46 XYZZ',
      '32 Nov 2026, 19:46',
      '3 Foo 2026, 19:46',
      // No time zone is that far from UTC.
      '19:46 +99:99',
      '19:46 UTC+99',
      '19:46 GMT+24',
      '19:46 -2400',
      // British to most people, and Bangladesh's to Intl; Atlantic, and Alaska's.
      '19:46 BST',
      '2026-11-21 19:46:22 AST',
    ])
      expect(find(text), text).to.deep.equal([])
  })
})
