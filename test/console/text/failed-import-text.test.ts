import { expect } from 'chai'
import {
  adviseOnFailedImport,
  describeShownImport,
  type ImportReader,
} from '../../../src/console/text/failed-import-text.ts'

const toTime = (at: string) => ({ iso: at, text: at })
const UNAFFECTED = 'Products, prices, carts and orders are not affected.'
const REST = `How many shoppers this concerns is not counted. ${UNAFFECTED}`
const shown = { source: 'a.csv', at: 'Monday' }
const STAYS = 'Nothing was imported: the import in use is still that of a.csv, of Monday.'
const NONE =
  'Nothing was imported, and no import is in use. None was in use before this import either, so nothing changed for shoppers.'

const toReader = (fitmentOrigin: ImportReader['fitmentOrigin']) => ({
  merchantName: 'Acme',
  mode: 'live',
  fitmentOrigin,
})

describe('what shoppers see after a failed import', () => {
  it('does not say that nothing was ever imported: an import may have been cleared', () => {
    const reader = toReader('inventory')
    expect(describeShownImport('references.import', null, reader, toTime)).to.equal(
      `${NONE} Shoppers see no imported product numbers. ${REST}`,
    )
    expect(describeShownImport('references.import', shown, reader, toTime)).to.equal(
      `${STAYS} Shoppers see that import, without what the new file adds or corrects. ${REST}`,
    )
  })

  for (const [source, current, said] of [
    [
      'imported',
      shown,
      `${STAYS} Acme (live) is configured with fitment: imported, so shoppers see that import, without what the new file adds or corrects. ${REST}`,
    ],
    [
      'imported',
      null,
      `${NONE} Acme (live) is configured with fitment: imported, so shoppers see no vehicles. ${REST}`,
    ],
    [
      'inventory',
      shown,
      `${STAYS} Shoppers see no difference: Acme (live) is configured to read fitment from its inventory, not from imports. ${UNAFFECTED}`,
    ],
    [
      'system',
      null,
      `${NONE} Shoppers see no difference: Acme (live) is configured to read fitment from a system of its own, not from imports. ${UNAFFECTED}`,
    ],
    [
      null,
      null,
      `${NONE} Acme is not configured on this server, so it is not known here whether its shoppers see imports. ${UNAFFECTED}`,
    ],
  ] as const)
    it(`says whether shoppers see imported fitment: ${source}, ${current ? 'with' : 'without'} an import in use`, () => {
      expect(describeShownImport('fitment.import', current, toReader(source), toTime)).to.equal(said)
    })
})

describe('what to do about a failed import', () => {
  const advise = (badLines: number, namedLines: number) => {
    const file = { merchant: 'acme', mode: 'live', source: 'a.csv', account: '', badLines, namedLines }
    return adviseOnFailedImport('fitment.import', file, 'Acme')
  }

  it('says whether all bad lines are named, and how to list them', () => {
    const command = 'forecourt fitment import a.csv --merchant acme --mode live'
    expect(advise(14, 10)).to.equal(
      `10 of 14 bad lines are named here, and all must be corrected. First, whoever runs Forecourt prints all 14 on its server: \`${command} --dry-run --all\`. This changes nothing. Whoever made the file for Acme corrects them. Then whoever runs Forecourt imports the file again there: \`${command}\`.`,
    )
    const again = `Then whoever runs Forecourt imports the file again on its server: \`${command}\`. With \`--dry-run --all\`, this command prints every bad line and changes nothing.`
    expect(advise(2, 2)).to.equal(
      `Whoever made the file for Acme corrects the lines that are named here, which are all the bad ones. ${again}`,
    )
    expect(advise(0, 0)).to.equal(`Whoever made the file for Acme corrects it. ${again}`)
  })
})
