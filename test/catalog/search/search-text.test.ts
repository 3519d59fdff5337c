import { expect } from 'chai'
import type { SearchRequest } from '../../../src/catalog/search/search-request.ts'
import type { Vehicle } from '../../../src/ports/vehicle.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

const vehicle = (vehicle_id: number, year: number, make: string, model: string): Vehicle => ({
  vehicle_id,
  year,
  make,
  model,
  submodel: null,
  engine: null,
  market: 'US',
})
const oem = (number: string) => ({ kind: 'OEM' as const, brand: 'Ozaki', number, customer_id: null })

describe('search by what a shopper types', () => {
  let mirror: TestMirror
  const find = (q: string, customerId: string | null = null) => mirror.find({ q, customerId }).skus

  before(() => {
    mirror = openTestMirror()
    mirror.write(
      [
        toRow('BP-1001', {
          product: { name: 'Front brake pad set', brand: 'Harbour', tags: ['ceramic'], barcode: '4006381333931' },
          categories: ['Brake Pads'],
          references: [oem('OZ-55692'), { kind: 'CUSTOMER', brand: null, number: 'SHELF-7', customer_id: 'C-1' }],
          vehicles: [1],
          popularity: 9,
        }),
        toRow('BP-1002', { product: { name: 'Rear brake pad set', brand: 'Harbour' }, vehicles: [2], popularity: 5 }),
        toRow('BD-2001', { product: { name: 'Brake disc, vented', mpn: 'VD 280/24' }, vehicles: [1], popularity: 4 }),
        toRow('OF-3001', { product: { name: 'Oil filter' }, vehicles: [1, 2, 3] }),
        toRow('EO-4001', { product: { name: 'Engine oil 20W-50, 4 l' }, universal: true }),
        toRow('SP-5001', { product: { name: 'Iridium spark plug' } }),
        toRow('SP-5002', { product: { name: 'Sparkplug wrench' } }),
        toRow('CA-6001', { product: { name: 'Café air freshener', description: 'For a pleasant smell of coffee' } }),
        toRow('WB-7001', { product: { name: 'Wheel bearing' }, band: 'OUT' }),
        toRow('WB-7002', { product: { name: 'Wheel bearing' } }),
        toRow('WB-7003', { product: { name: 'Wheel bearing' } }),
        toRow('ZZ-9001', { product: { name: 'Brake pad, no longer made', active: false } }),
      ],
      {
        vehicles: [
          vehicle(1, 2010, 'Toyota', 'Camry'),
          vehicle(2, 2012, 'Toyota', 'Camry'),
          vehicle(3, 2011, 'Honda', 'CR-V'),
        ],
      },
    )
  })
  after(() => mirror[Symbol.dispose]())

  it('finds words in any order, in the singular and the plural, whatever stands between them', () => {
    for (const q of ['brake pads', 'pads brake', 'BRAKE PAD', '"brake pad"', 'brake,pad', ' brake   pads '])
      expect(find(q), q).to.deep.equal(['BP-1001', 'BP-1002'])
    expect(find('discs')).to.deep.equal(['BD-2001'])
    expect(find('oil,filter')).to.deep.equal(['OF-3001'])
  })

  it('finds a number whatever its punctuation and case, before products that contain it as a word', () => {
    expect(find('BP1001')).to.deep.equal(['BP-1001'])
    expect(find('bp-1001')).to.deep.equal(['BP-1001'])
    expect(find('oz 55692')).to.deep.equal(['BP-1001'])
    expect(find('vd28024')).to.deep.equal(['BD-2001'])
    expect(find('4006381333931')).to.deep.equal(['BP-1001'])
  })

  it('counts a product once whose SKU is its other numbers as well', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('70010', { product: { name: 'Bolt', mpn: '70010', barcode: '70010' } })])
    expect(mirror.find({ q: '70010' })).to.include({ total: 1 })
  })

  it('finds numbers by their beginning, after whole ones', () => {
    expect(find('BP100')).to.deep.equal(['BP-1001', 'BP-1002'])
    expect(find('wb700')).to.deep.equal(['WB-7003', 'WB-7002', 'WB-7001'])
  })

  it('finds a number by its digits without the letters before them, when nothing else is found', () => {
    using mirror = openTestMirror()
    mirror.write([
      toRow('100', { product: { name: 'Longer', mpn: 'KS361425' } }),
      toRow('200', { product: { name: 'Whole', mpn: 'KS-36142' } }),
      toRow('300', { product: { name: 'Word', mpn: 'TM50626', description: 'Like 50627' } }),
      toRow('400', { product: { name: 'Other', mpn: 'TM50627', active: false } }),
      toRow('500', { references: [{ kind: 'CUSTOMER', brand: null, number: 'MINE77777', customer_id: 'C-1' }] }),
      toRow('600', { product: { name: 'Letters', mpn: 'KSABC' } }),
    ])
    const find = (q: string, customerId: string | null = null) => mirror.find({ q, customerId }).skus
    expect(find('36142')).to.deep.equal(['200'])
    expect(find('3614')).to.deep.equal(['200', '100'])
    expect(find('50626')).to.deep.equal(['300'])
    expect(find('50627')).to.deep.equal(['300'])
    expect([find('77777'), find('77777', 'C-2'), find('77777', 'C-1')]).to.deep.equal([[], [], ['500']])
    expect([find('506'), find('99999'), find('6142')]).to.deep.equal([[], [], []])
  })

  it('finds words written as one or apart', () => {
    expect(find('sparkplug')).to.deep.equal(['SP-5002', 'SP-5001'])
    expect(find('spark plug')).to.deep.equal(['SP-5001', 'SP-5002'])
    for (const q of ['20w50', '20W-50', '20 w 50']) expect(find(q), q).to.deep.equal(['EO-4001'])
  })

  it('finds brands, tags, categories and descriptions, without accents', () => {
    expect(find('harbour rear')).to.deep.equal(['BP-1002'])
    expect(find('ceramic')).to.deep.equal(['BP-1001'])
    expect(find('cafe')).to.deep.equal(['CA-6001'])
    expect(find('CAFÉ coffee')).to.deep.equal(['CA-6001'])
  })

  it('finds letters that Unicode does not decompose, as they are typed without them, and the reverse', () => {
    using mirror = openTestMirror()
    mirror.write(
      [
        toRow('DE-1', { product: { name: 'Straßenschild groß', brand: 'Weiß' } }),
        toRow('DE-2', { product: { name: 'STRASSENSCHILD, klein' } }),
        toRow('DK-1', { product: { name: 'Bremsekløtz læder', description: 'Sauber Œuvre' } }),
        toRow('PL-1', { product: { name: 'Łożysko koła' }, categories: ['Części tłumika'] }),
        toRow('HR-1', { product: { name: 'Uređaj za kočnice' } }),
        toRow('TR-1', { product: { name: 'ISITICI kablosu', tags: ['ısıtıcı'] } }),
        toRow('IS-1', { product: { name: 'Þétting úr eðlu' } }),
        toRow('FI-1', { product: { name: 'Pad' }, vehicles: [1] }),
      ],
      { vehicles: [vehicle(1, 2010, 'Škoda', 'Føl')] },
    )
    const found = (q: string) => mirror.find({ q }).skus
    for (const q of ['straßenschild', 'STRASSENSCHILD', 'STRAẞENSCHILD', 'straßenschilds'])
      expect(found(q), q).to.deep.equal(['DE-2', 'DE-1'])
    const table = {
      'DE-1': ['weiss gross', 'weiß groß'],
      'DK-1': ['bremseklotz laeder', 'BREMSEKLØTZ LÆDER', 'oeuvre', 'œuvre'],
      'PL-1': ['lozysko kola', 'łożysko', 'tlumika'],
      'HR-1': ['uredaj', 'uređaj', 'UREĐAJ'],
      'TR-1': ['isitici', 'ısıtıcı', 'ISITICI'],
      'IS-1': ['thetting edlu', 'þétting eðlu'],
      'FI-1': ['skoda fol', 'Škoda Føl'],
    }
    for (const [sku, queries] of Object.entries(table))
      for (const q of queries) expect(found(q), q).to.deep.equal([sku])
    expect(mirror.find({ brands: ['weiss'] }).skus).to.deep.equal(['DE-1'])
  })

  it('narrows by the words of a vehicle', () => {
    expect(find('toyota camry 2010 brake pad')).to.deep.equal(['BP-1001'])
    expect(find('camry brake pads')).to.deep.equal(['BP-1001', 'BP-1002'])
    expect(find('2012 Toyota Camry pad')).to.deep.equal(['BP-1002'])
    expect(find('CRV')).to.deep.equal(['OF-3001'])
    expect(find('honda cr-v oil filter')).to.deep.equal(['OF-3001'])
    // A universal product fits every vehicle.
    expect(find('camry 20w50')).to.deep.equal(['EO-4001'])
    expect(find('honda brake pad')).to.deep.equal([])
  })

  it('corrects words when nothing has them, and says so; never numbers', () => {
    expect(mirror.find({ q: 'breake pad' })).to.include({ corrected: 'brake pad', total: 2 })
    expect(mirror.find({ q: 'toyta camri brake pad' })).to.include({ total: 2 })
    expect(mirror.find({ q: 'brake pad' }).corrected).to.equal(null)
    expect(mirror.find({ q: 'breake pads' }).corrected, 'the other words as typed').to.equal('brake pads')
    for (const swapped of ['braek pad', 'rbake pad', 'barke pad'])
      expect(mirror.find({ q: swapped }), swapped).to.include({ corrected: 'brake pad', total: 2 })
    // A correction that finds nothing either is not announced.
    expect(mirror.find({ q: 'braek zzzzzz' })).to.include({ corrected: null, total: 0 })
    expect(find('BP-1009')).to.deep.equal([])
    expect(find('20w51')).to.deep.equal([])
  })

  it('leaves out words like "for" and "a" when nothing has all words', () => {
    expect(find('brake pads for a 2010 toyota camry')).to.deep.equal(['BP-1001'])
    expect(find('braek pads for camry')).to.have.members(['BP-1001', 'BP-1002'])
    expect(find('for the')).to.deep.equal([])
    // A part of a number is no filler.
    for (const number of ['OF 1001', 'A 1001', 'brake a 1001']) expect(find(number), number).to.deep.equal([])
  })

  it('finds what replaces a withdrawn product, by its SKU', () => {
    using shelf = openTestMirror()
    const replacement = (number: string) => ({ kind: 'SUPERSEDED_BY' as const, brand: null, number, customer_id: null })
    shelf.write([
      toRow('OLD-1', { product: { active: false }, references: [replacement('NEW-1')] }),
      toRow('OLD-2', { product: { active: false }, references: [replacement('NEW-1'), replacement('NEW-2')] }),
      toRow('OLD-3', { product: { active: false } }),
      toRow('OLD-4', { product: { active: false }, references: [replacement('OLD-5')] }),
      toRow('OLD-5', { product: { active: false }, references: [replacement('OLD-4'), replacement('OLD-1')] }),
      toRow('NEW-1', { product: { name: 'Front brake pad' } }),
      toRow('NEW-2', { product: { name: 'Rear brake pad' } }),
    ])
    const found = (q: string) => [shelf.find({ q }).total, shelf.find({ q }).skus.join(' ')]
    for (const q of ['OLD-1', 'old1']) expect(found(q), q).to.deep.equal([1, 'NEW-1'])
    expect(found('OLD-2')).to.deep.equal([2, 'NEW-2 NEW-1'])
    expect(found('OLD-3')).to.deep.equal([0, ''])
    expect(found('OLD-4'), 'what replaces a withdrawn replacement').to.deep.equal([1, 'NEW-1'])
    expect(found('NEW-1'), 'not what else replaces the same product').to.deep.equal([1, 'NEW-1'])
    expect(shelf.suggest({ text: 'old-1', limit: 5 }).products.map(({ sku }) => sku)).to.deep.equal(['NEW-1'])
  })

  it('finds a number by its digits, however many letters numbers begin with', () => {
    using shelf = openTestMirror()
    const toLetters = (number: number) =>
      [676, 26, 1].map((unit) => String.fromCharCode(65 + (Math.floor(number / unit) % 26)))
    const pad = (sku: string) => toRow(sku, { product: { name: 'Pad' } })
    const rows = Array.from({ length: 1_200 }, (_, number) => pad(`${toLetters(number).join('')}${1_000 + number}`))
    shelf.write([...rows, pad('ZZ77777'), pad('ZZ777770'), pad('ZY77777')])
    expect(shelf.find({ q: '77777' }).skus).to.deep.equal(['ZY77777', 'ZZ77777', 'ZZ777770'])
    expect(shelf.find({ q: '2199' }).skus).to.deep.equal([rows[1_199]!.sku])
    // More longer numbers than are listed, in the first of the letters.
    const longer = Array.from({ length: 250 }, (_, number) => pad(`AAA77777${100 + number}`))
    shelf.write(longer)
    expect(shelf.find({ q: '77777' }).skus.slice(0, 3)).to.deep.equal(['ZY77777', 'ZZ77777', 'AAA77777299'])
  })

  it('finds several numbers that are separated by commas, semicolons or lines', () => {
    for (const q of ['BP-1001,bp1002', 'BP-1002; oz 55692', 'BP-1001\nBP-1002\nBP-9999'])
      expect(find(q), q).to.deep.equal(['BP-1001', 'BP-1002'])
    expect(find('BP-9998,BP-9999')).to.deep.equal([])
    expect(find('SHELF-7,BP-9999')).to.deep.equal([])
    expect(find('SHELF-7,BP-9999', 'C-1')).to.deep.equal(['BP-1001'])
    using shelf = openTestMirror()
    const kit = { name: 'Kit', description: 'Of BP-1 and BP-2' }
    shelf.write([toRow('BP-1'), toRow('BP-2'), toRow('KIT', { product: kit })])
    expect(shelf.find({ q: 'BP-1, BP-2' }).skus, 'then what mentions all').to.deep.equal(['BP-2', 'BP-1', 'KIT'])
  })

  it('reads two digits beside a make or a model as a year, unless a part of the model has them as a word', () => {
    for (const q of ['camry 10 brake pad', '10 toyota camry brake pad', 'pad toyota 10 camry'])
      expect(find(q), q).to.deep.equal(['BP-1001'])
    expect(find('brake 10 pad camry'), 'not beside a name').to.deep.equal([])
    expect(find('camry 99 brake pad'), 'a year without vehicles').to.deep.equal([])
    using garage = openTestMirror()
    garage.write(
      [
        toRow('WHEEL', { product: { name: 'Wheel 12' }, vehicles: [1] }),
        toRow('PAD', { product: { name: 'Wheel pad' }, vehicles: [2] }),
        toRow('WIPER', { product: { name: 'Wiper 12 in' }, universal: true }),
      ],
      { vehicles: [vehicle(1, 1999, 'Honda', 'Civic'), vehicle(2, 2012, 'Honda', 'Civic')] },
    )
    expect(garage.find({ q: 'civic 12 wheel' }).skus, 'a size').to.deep.equal(['WHEEL'])
    expect(garage.find({ q: 'civic 12 pad' }).skus, 'a year').to.deep.equal(['PAD'])
    expect(garage.find({ q: 'civic 12 wiper' }).skus, 'a size of a part for every vehicle').to.deep.equal(['WIPER'])
  })

  it('reads a number beside other words as a model year, if a product fits a vehicle of that year', () => {
    using garage = openTestMirror()
    const oem = { kind: 'OEM' as const, brand: null, number: '2012', customer_id: null }
    garage.write(
      [
        toRow('OF-A', { product: { name: 'Brake pad' }, vehicles: [1, 2] }),
        toRow('OF-B', { product: { name: 'Brake pad' }, vehicles: [2] }),
        toRow('PAD-NONE', { product: { name: 'Brake pad' } }),
        toRow('PAD-ALL', { product: { name: 'Brake pad' }, universal: true }),
        toRow('NAMED', { product: { name: 'Brake pad 2012' } }),
        toRow('NUMBER', { product: { name: 'Brake pad' }, references: [oem] }),
        toRow('OIL-2012', { product: { name: 'Super 2012' }, universal: true }),
        toRow('OIL-2014', { product: { name: 'Super oil' }, universal: true }),
        toRow('BRAKE-2014', { product: { name: 'Bracket' } }),
      ],
      {
        vehicles: [
          vehicle(1, 2014, 'Honda', 'Civic'),
          vehicle(2, 2012, 'Toyota', 'Camry'),
          vehicle(3, 1999, 'Mazda', '3'),
        ],
      },
    )
    const found = (q: string) => garage.find({ q }).skus
    for (const q of ['brake pads 2014', '2014 brake pad', 'pads for 2014', 'braek pads 2014'])
      expect(found(q), q).to.deep.equal(['PAD-ALL', 'OF-A'])
    expect(found('brake pad 2012'), 'the number in a name or of a product first').to.deep.equal([
      'NAMED',
      'NUMBER',
      'PAD-ALL',
      'OF-B',
      'OF-A',
    ])
    expect(found('brake pad 2012 2014'), 'of either year').to.deep.equal(['PAD-ALL', 'OF-B', 'OF-A'])
    expect(found('brake 2014'), 'a whole number first').to.deep.equal(['BRAKE-2014', 'PAD-ALL', 'OF-A'])
    expect(found('super 2012'), 'a number of a part for every vehicle').to.deep.equal(['OIL-2012'])
    expect(found('super oil 2014'), 'a part for every vehicle').to.deep.equal(['OIL-2014'])
    const nothing = (q: string, closestQ: string, leftOut: string[], total: number) =>
      expect(garage.find({ q }), q).to.deep.include({ skus: [], total: 0, closest: { q: closestQ, leftOut, total } })
    nothing('brake pads 2013', 'brake pads', ['2013'], 6)
    nothing('bracket 1999', 'bracket', ['1999'], 1)
    nothing('brake pads 14', 'brake pads', ['14'], 6)
    nothing('cheap brake pads 2014', 'brake pads 2014', ['cheap'], 2)
    expect(found('2012'), 'no other words').to.deep.equal(['NUMBER', 'OIL-2012', 'NAMED'])
    const suggested = (text: string) => garage.suggest({ text, limit: 8 }).products.map(({ sku }) => sku)
    expect(suggested('brake pads 2014')).to.deep.equal(['PAD-ALL', 'OF-A'])
    expect(suggested('2014 brake pa')).to.deep.equal(['OF-A', 'PAD-ALL'])
    expect(suggested('super 2012')).to.deep.equal(['OIL-2012'])
  })

  it('forgets the year of a vehicle that has another one', () => {
    using garage = openTestMirror()
    const pad = (year: number) =>
      garage.write([toRow('PAD', { product: { name: 'Brake pad' }, vehicles: [1] })], {
        vehicles: [vehicle(1, year, 'Honda', 'Civic')],
      })
    pad(2014)
    pad(2015)
    expect([2014, 2015].map((year) => garage.find({ q: `pad ${year}` }).skus)).to.deep.equal([[], ['PAD']])
  })

  it('corrects words that sound alike or are often confused, also known ones', () => {
    for (const q of ['brek pads', 'brayk pads', 'break pads'])
      expect(mirror.find({ q }), q).to.include({ corrected: 'brake pads', total: 2 })
    using shelf = openTestMirror()
    shelf.write([
      toRow('BP-1', { product: { name: 'Brake pad' } }),
      toRow('FU-1', { product: { name: 'Fuse', description: 'Does not break' } }),
    ])
    expect(shelf.find({ q: 'break' }).skus, 'a word of the catalog').to.deep.equal(['FU-1'])
    expect(shelf.find({ q: 'break pad' })).to.include({ corrected: 'brake pad', total: 1 })
    expect(shelf.find({ q: 'constructor toString' }).total).to.equal(0)
  })

  it('says which words to leave out when nothing has all of them', () => {
    const closest = (q: string, filters: Partial<SearchRequest> = {}) => mirror.find({ q, ...filters }).closest
    expect(closest('cheap brake pads')).to.deep.equal({ q: 'brake pads', leftOut: ['cheap'], total: 2 })
    expect(closest('Cheap, braek pads')).to.deep.equal({ q: 'brake pads', leftOut: ['Cheap'], total: 2 })
    expect(closest('ceramic wrench'), 'what finds the fewest, when both are known').to.deep.include({ total: 1 })
    expect(closest('brake pads zzzz', { skus: ['BP-1002'] })).to.deep.include({ total: 1 })
    expect(closest('brake pads zzzz', { skus: ['CA-6001'] }), 'nothing with these filters').to.equal(null)
    expect(closest('brake pads', { skus: ['CA-6001'] }), 'not for want of words').to.equal(null)
    for (const q of ['brake pads', 'breake pads', 'zzzz', 'zzzz qqqq', 'BP-9999', 'oz 99999', 'of 99999', '1001 99999'])
      expect(closest(q), q).to.equal(null)
    expect(closest('zzzz '.repeat(100))).to.equal(null)
    expect(closest('brake '.repeat(100)), 'found').to.equal(null)
  })

  it('does not correct such words', () => {
    using shelf = openTestMirror()
    shelf.write([
      toRow('BP-1', { product: { name: 'Front brake pad set' } }),
      toRow('GA-1', { product: { name: 'Form gasket, width 20' } }),
    ])
    for (const q of ['braek pad with set', 'braek pad from', 'braek pads for the front'])
      expect(shelf.find({ q }).skus, q).to.deep.equal(['BP-1'])
  })

  it('finds the beginning of the last word when nothing else is found', () => {
    expect(find('wheel bear')).to.have.members(['WB-7001', 'WB-7002', 'WB-7003'])
  })

  it('puts first what sells, then what is in stock, then what is new', () => {
    expect(find('brake')).to.deep.equal(['BP-1001', 'BP-1002', 'BD-2001'])
    expect(find('wheel bearing')).to.deep.equal(['WB-7003', 'WB-7002', 'WB-7001'])
  })

  it('finds a customer number for that customer alone', () => {
    expect(find('shelf-7', 'C-1')).to.deep.equal(['BP-1001'])
    expect(find('shelf-7', 'C-2')).to.deep.equal([])
    expect(find('shelf 7')).to.deep.equal([])
    expect(find('shelf')).to.deep.equal([])
  })

  it('finds no withdrawn product', () => {
    expect(find('no longer made')).to.deep.equal([])
    expect(find('ZZ-9001')).to.deep.equal([])
  })

  it('finds no withdrawn product among many that are not', () => {
    using mirror = openTestMirror()
    const skus = Array.from({ length: 40 }, (_, number) => `S-${number}`)
    mirror.write(skus.map((sku) => toRow(sku, { product: { active: sku !== 'S-7' } })))
    expect(mirror.find({ skus, limit: 50 }).skus.toSorted()).to.deep.equal(skus.filter((sku) => sku !== 'S-7').sort())
    expect(mirror.find({ skus: skus.filter((sku) => sku !== 'S-7') })).to.include({ total: 39 })
  })

  it('takes any text as text', () => {
    const texts = [
      '',
      '   ',
      '"',
      '""',
      '*',
      'brake*',
      'NEAR(brake pad)',
      'brake AND',
      'text:brake',
      '^brake',
      '-brake',
      'make:toyota',
      "'; DROP TABLE",
      '\0',
      'brake\0pad',
      '\u{1F600}',
      '\uD800',
      '%',
      '_',
      'a'.repeat(10_000),
      'brake '.repeat(10_000),
      '({[',
      'пад',
      '刹车片',
      '\u202E',
    ]
    for (const q of texts) expect(find(q), JSON.stringify(q.slice(0, 40))).to.be.an('array')
    expect(find('brake*')).to.deep.equal(find('brake'))
    expect(find('brake\0pad')).to.deep.equal(find('brake pad'))
  })
})
