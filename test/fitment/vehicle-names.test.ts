import { expect } from 'chai'
import { readVehicleNames } from '../../src/fitment/aces/vehicle-names.ts'
import { toByteChunks } from '../support/to-byte-chunks.ts'

describe('the vehicle file', () => {
  const read = (text: string) => readVehicleNames(toByteChunks(text))

  it('names ids of any element', async () => {
    const names = await read('element,id,year,make,model,name\n,7,2014,Kia,Rio,\nSubModel,7,,,,EX|S\n')
    expect(names.baseVehicle('7')).to.deep.equal({ year: 2014, make: 'Kia', model: 'Rio' })
    expect([names.nameOf('SubModel', '7'), names.nameOf('Position', '7')]).to.deep.equal(['EX/S', null])
  })

  it('fails at its first mistake', async () => {
    for (const [row, mistake] of [
      [',7,2014-2015,Kia,Rio,', 'is not one year'],
      [',7,2014,,Rio,', 'has no make or no model'],
      [',,2014,Kia,Rio,', 'has no id'],
      ['Position,7,,,,', 'has no name for Position'],
    ] as const) {
      const error = await read(`element,id,year,make,model,name\n${row}\n`).catch((failure: unknown) => failure)
      expect(error).to.include({ line: 2 })
      expect((error as Error).message).to.include(mistake)
    }
  })
})
