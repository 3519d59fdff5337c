import { expect } from 'chai'
import type { Vehicle } from '../../../src/ports/vehicle.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

const vehicle = (vehicle_id: number, year: number, make: string, model: string): Vehicle => ({
  ...{ vehicle_id, year, make, model },
  ...{ submodel: null, engine: null, market: 'EU' },
})
const pad = { product: { name: 'Brake pad' } }

describe('a text with words that are makes, models or years of other vehicles too', () => {
  let mirror: TestMirror
  const find = (q: string) => mirror.find({ q }).skus

  before(() => {
    mirror = openTestMirror()
    mirror.write(
      [
        toRow('PAD-GOLF', { ...pad, vehicles: [1] }),
        toRow('PAD-2008', { ...pad, vehicles: [2] }),
        toRow('PAD-206', { ...pad, vehicles: [3] }),
        toRow('FILTER-LEAF', { product: { name: 'Cabin filter' }, vehicles: [4] }),
        toRow('SPRING-F150', { product: { name: 'Leaf spring' }, vehicles: [5] }),
        toRow('BOLT-GOLF', { product: { name: 'Wheel bolt' }, vehicles: [1] }),
        toRow('COVER-CAMRY', { product: { name: 'Seat cover' }, vehicles: [6] }),
        toRow('CARPET-MINI', { product: { name: 'Carpet' }, vehicles: [9] }),
        toRow('WIPER-CAMRY', { product: { name: 'Wiper for Camry' }, vehicles: [6, 10] }),
      ],
      {
        vehicles: [
          vehicle(1, 2008, 'Volkswagen', 'Golf'),
          vehicle(2, 2014, 'Peugeot', '2008'),
          vehicle(3, 2003, 'Peugeot', '206'),
          vehicle(4, 2015, 'Nissan', 'Leaf'),
          vehicle(5, 2010, 'Ford', 'F-150'),
          vehicle(6, 2010, 'Toyota', 'Camry'),
          vehicle(7, 2018, 'Chevrolet', 'Bolt'),
          vehicle(8, 2015, 'Seat', 'Leon'),
          vehicle(9, 2015, 'Mini', 'Clubman'),
          vehicle(10, 2008, 'Honda', 'Civic'),
          vehicle(11, 1985, 'Mercedes', '190'),
        ],
      },
    )
  })
  after(() => mirror[Symbol.dispose]())

  it('finds what fits a vehicle whose year is the model of another', () => {
    for (const q of ['2008 volkswagen golf brake pad', '2008 golf brake pads', 'brake pads golf 2008'])
      expect(find(q), q).to.deep.equal(['PAD-GOLF'])
    expect(find('volkswagen 2008 brake pad'), 'no model of that make').to.deep.equal(['PAD-GOLF'])
    for (const q of ['2014 peugeot 2008 brake pad', 'peugeot 2008 2014 brake pad', 'peugeot 2008 brake pad'])
      expect(find(q), q).to.deep.equal(['PAD-2008'])
    expect(find('wheel 2008'), 'a year, where no part fits the model').to.deep.equal(['BOLT-GOLF'])
    expect(find('camry 2008 wiper'), 'a part with the name that fits another vehicle of the year').to.deep.equal([])
  })

  it('finds words that are a make or a model of another vehicle', () => {
    for (const q of ['leaf spring f150', 'leaf spring ford f-150', 'leaf spring ford', 'f150 leaf spring'])
      expect(find(q), q).to.deep.equal(['SPRING-F150'])
    expect(find('wheel bolt golf')).to.deep.equal(['BOLT-GOLF'])
    for (const q of ['seat cover camry', 'seat cover toyota camry', 'toyota seat covers'])
      expect(find(q), q).to.deep.equal(['COVER-CAMRY'])
    expect(find('nissan leaf cabin filter')).to.deep.equal(['FILTER-LEAF'])
    expect(find('mini carpet'), 'every model of the make').to.deep.equal(['CARPET-MINI'])
    expect(find('golf leaf spring'), 'for another vehicle').to.deep.equal([])
  })

  it('suggests such products while somebody types', () => {
    const suggested = (text: string) => mirror.suggest({ text, limit: 8 }).products.map(({ sku }) => sku)
    expect(suggested('2008 golf brake pa')).to.deep.equal(['PAD-GOLF'])
    expect(suggested('bolt golf whee')).to.deep.equal(['BOLT-GOLF'])
    expect(suggested('seat camry cov')).to.deep.equal(['COVER-CAMRY'])
  })

  it('suggests models that are numbers, and years', () => {
    const suggested = (text: string) => mirror.suggest({ text, limit: 8 }).vehicles.map(({ label }) => label)
    expect(suggested('peugeot 206')).to.deep.equal(['Peugeot 206'])
    expect(suggested('mercedes 190')).to.deep.equal(['Mercedes 190'])
    expect(suggested('peugeot 2008')).to.deep.equal(['Peugeot 2008'])
    expect(suggested('peugeot 2008 2014')).to.deep.equal(['2014 Peugeot 2008'])
    expect(suggested('2014 peugeot 2008')).to.deep.equal(['2014 Peugeot 2008'])
    expect(suggested('2008 golf')).to.deep.equal(['2008 Volkswagen Golf'])
    expect(suggested('peugeot 20')).to.deep.equal([
      'Peugeot 2008',
      'Peugeot 206',
      '2014 Peugeot 2008',
      '2003 Peugeot 206',
    ])
  })
})
