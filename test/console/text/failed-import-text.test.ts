import { expect } from 'chai'
import { describeShownImport } from '../../../src/console/text/failed-import-text.ts'

const toTime = (at: string) => ({ iso: at, text: at })
const REST = 'How many shoppers this concerns is not counted. Products, prices, carts and orders are not affected.'

describe('what shoppers see after a failed import', () => {
  it('does not say that nothing was ever imported: an import may have been cleared', () => {
    expect(describeShownImport('references.import', null, toTime)).to.equal(
      `Nothing was imported, and no import is in use: shoppers see no imported product numbers. ${REST}`,
    )
  })

  it('does not say that shoppers see imported fitment, which may come from a system of the merchant', () => {
    const shown = { source: 'a.csv', at: 'Monday' }
    const stays = 'Nothing was imported: the import in use is still that of a.csv, of Monday.'
    expect(describeShownImport('fitment.import', shown, toTime)).to.equal(
      `${stays} Shoppers see it if the merchant is configured with fitment: imported. ${REST}`,
    )
    expect(describeShownImport('references.import', shown, toTime)).to.equal(`${stays} ${REST}`)
  })
})
