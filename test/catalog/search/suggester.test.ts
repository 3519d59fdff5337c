import { expect } from 'chai'
import fc from 'fast-check'
import type { Suggestions, SuggestRequest } from '../../../src/catalog/search/suggest/suggestion-types.ts'
import { codePoint } from '../../support/code-point.ts'
import { openDemoMirror } from '../demo-mirror.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror, type TestMirror } from '../test-mirror.ts'

describe('suggestions while typing', () => {
  let mirror: TestMirror
  const suggest = (text: string, options: Partial<SuggestRequest> = {}): Suggestions =>
    mirror.suggest({ text, limit: 5, ...options })
  const skus = (text: string, options?: Partial<SuggestRequest>) =>
    suggest(text, options).products.map(({ sku }) => sku)

  before(() => {
    mirror = openDemoMirror()
  })
  after(() => mirror[Symbol.dispose]())

  it('completes the last word, after whole words in any order', () => {
    for (const text of ['brake pad', 'pads brak', 'BRAKE-PADS', 'brake pads ', 'Bräke pad']) {
      expect(suggest(text).products, text).to.have.length(5)
      for (const { name } of suggest(text).products) expect(name.toLowerCase(), text).to.match(/brake pad/)
    }
    for (const text of ['batter', 'batteri', 'batterie', 'batteries'])
      expect(suggest(text).products[0]?.name, text).to.match(/battery/i)
  })

  it('does not reuse what it suggested while the catalog was being loaded', () => {
    using shelf = openTestMirror({ reuseMs: 0, suggestReuseMs: 3_600_000 })
    const find = (isLoading: boolean) => shelf.suggest({ text: 'civic oil', limit: 5, isLoading }).products.length
    const toOil = (sku: string, vehicles: number[]) => toRow(sku, { product: { name: 'Oil' }, vehicles })
    const name = { year: 1999, make: 'Honda', model: 'Civic' }
    const civic = { vehicle_id: 1, ...name, submodel: null, engine: null, market: 'US' }
    shelf.write([toOil('OIL-1', [1]), toOil('OIL-2', [])], { vehicles: [civic] })
    expect(find(true)).to.equal(1)
    shelf.write([toOil('OIL-2', [1])])
    expect([find(true), find(false)]).to.deep.equal([1, 2])
  })

  const typedOtherwise = `
    brkae pad | BP-1040
    brake padz | BP-1040
    altenr | AL-1024
    alternater | AL-1024
    battry | BT-1026
    oil fliter | OF-1044
    radatior hose | RH-1026
    rotr | BD-1032
    toyotta corolla brake pa | BP-1039
    hnda crv | Honda CR-V
    toyta cor | Toyota Corolla
    tyota camry 2010 | 2010 Toyota Camry
    kestrain | Kestrane
    5w30 | OL-1017
    dot4 | BF-1012
    205 55r16 | TY-1013
    BP | BP-1040
    civic 99 radiator | RD-1010`

  for (const line of typedOtherwise.trim().split('\n')) {
    const [text, expected] = line.trim().split(' | ') as [string, string]
    it(`suggests ${expected} for ${text}`, () => {
      const { products, brands, vehicles } = suggest(text)
      const found = [...products.map(({ sku }) => sku), ...brands.map(({ value }) => value)]
      expect([...found, ...vehicles.map(({ label }) => label)]).to.include(expected)
    })
  }

  it('does not correct what something begins with, nor numbers', () => {
    expect(suggest('alternat')).to.deep.equal(suggest('alternator'))
    expect(suggest('wire').products, 'not wiper').to.deep.equal([])
    expect(skus('99999')).to.deep.equal([])
    expect(skus('BP-9999')).to.deep.equal([])
  })

  it('suggests products by the digits of their numbers, when nothing else begins with them', () => {
    expect(skus('55692')).to.deep.equal(['BP-1001'])
    expect(skus('5569')).to.deep.equal(['BP-1001'])
    expect(skus('556')).to.deep.equal([])
  })

  it('suggests nothing for a whole word that no product has', () => {
    expect(suggest('qqqq brake pa').products).to.deep.equal([])
    expect(suggest('bra pad').products).to.deep.equal([])
  })

  it('suggests products by the beginning of their numbers, in any spelling', () => {
    expect(skus('BP-1001')[0]).to.equal('BP-1001')
    for (const text of ['bp10', 'BP-10', 'bp 10']) for (const sku of skus(text)) expect(sku, text).to.match(/^BP-10/)
    expect(skus('bp10')).to.have.length(5)
  })

  it('suggests products by the beginning of a vehicle', () => {
    const found = skus('brake pad toyo')
    expect(found).to.not.deep.equal([])
    expect(mirror.find({ q: 'toyota brake pad', limit: 200 }).skus).to.include.members(found)
    for (const { sku, name } of suggest('corolla brake pa').products)
      expect(mirror.find({ q: `corolla ${name}` }).skus).to.include(sku)
  })

  it('suggests products that are named so before others, and those that fit every vehicle last', () => {
    using garage = openTestMirror()
    const vehicle = {
      vehicle_id: 1,
      year: 2010,
      make: 'Toyota',
      model: 'Corolla',
      submodel: null,
      engine: null,
      market: 'LOCAL' as const,
    }
    garage.write(
      [
        toRow('ALL', { product: { name: 'Brake fluid' }, universal: true, popularity: 9 }),
        toRow('FITS', { product: { name: 'Brake pad' }, vehicles: [1], popularity: 5 }),
        toRow('NAMED', { product: { name: 'Brake disc, Toyota Corolla' }, popularity: 0 }),
        toRow('OTHER', { product: { name: 'Brake disc, Honda Civic' }, popularity: 9 }),
      ],
      { vehicles: [vehicle] },
    )
    const found = (text: string, limit = 5) => garage.suggest({ text, limit }).products.map(({ sku }) => sku)
    expect(found('corolla bra')).to.deep.equal(['NAMED', 'FITS', 'ALL'])
    expect(found('toyota corolla bra', 2)).to.deep.equal(['NAMED', 'FITS'])
    expect(found('corol')).to.deep.equal(['NAMED', 'FITS'])
  })

  it('suggests what fits a vehicle of a year as the list has it, before products with the year in their names', () => {
    for (const text of [
      'honda crv 2014',
      'honda cr-v 2014 ',
      '2014 honda crv',
      'toyota corolla 2010',
      'corolla brake 2010',
    ])
      expect(skus(text), text).to.deep.equal(mirror.find({ q: text, limit: 5 }).skus)
    using garage = openTestMirror()
    const crv = { year: 2014, make: 'Honda', model: 'CR-V', submodel: null, engine: null, market: 'LOCAL' as const }
    garage.write(
      [
        toRow('YEAR', { product: { name: 'Pump, Mazda 3 2014' }, vehicles: [2], popularity: 9 }),
        toRow('FITS', { product: { name: 'Brake pad' }, vehicles: [1] }),
        toRow('NAMED', { product: { name: 'Pad, Honda CR-V 2014' } }),
      ],
      {
        vehicles: [
          { vehicle_id: 1, ...crv },
          { vehicle_id: 2, ...crv, year: 2013 },
        ],
      },
    )
    const found = garage.suggest({ text: 'honda cr-v 2014', limit: 5 }).products.map(({ sku }) => sku)
    expect(found).to.deep.equal(['NAMED', 'FITS', 'YEAR'])
  })

  it('suggests categories and brands with the counts of a search', () => {
    const [category] = suggest('brak').categories
    expect(category).to.include({ slug: 'braking' })
    for (const text of ['brak', 'oil fil', 'filters o'])
      for (const { category_id, count } of suggest(text).categories)
        expect(mirror.find({ categories: [category_id] }).total, text).to.equal(count)
    const brands = suggest('or').brands
    expect(brands).to.not.deep.equal([])
    for (const { value, count } of brands) {
      expect(value).to.match(/(^| )or/i)
      expect(mirror.find({ brands: [value] }).total).to.equal(count)
    }
  })

  it('suggests makes, then models, then years', () => {
    expect(suggest('toy').vehicles[0]).to.deep.equal({ year: null, make: 'Toyota', model: null, label: 'Toyota' })
    expect(suggest('toyota cam').vehicles).to.deep.equal([
      { year: null, make: 'Toyota', model: 'Camry', label: 'Toyota Camry' },
    ])
    expect(suggest('cam').vehicles).to.deep.equal([
      { year: null, make: 'Toyota', model: 'Camry', label: 'Toyota Camry' },
    ])
    for (const text of ['camry 2010', '2010 toyota camry', '2010 cam']) {
      const [vehicle, ...others] = suggest(text).vehicles
      expect(others, text).to.deep.equal([])
      expect(vehicle, text).to.include({ year: 2010, make: 'Toyota', model: 'Camry', label: '2010 Toyota Camry' })
    }
    const years = suggest('camry 20').vehicles.map(({ year }) => year)
    expect(years).to.have.length(5)
    expect(years).to.deep.equal([...years].sort().reverse())
    for (const text of ['cr-v', 'crv', 'cr v', 'honda cr'])
      expect(suggest(text).vehicles[0]?.label, text).to.equal('Honda CR-V')
  })

  it('puts the best-ranked products first, and keeps each list to the limit', () => {
    using ranked = openTestMirror()
    ranked.write([
      ...['A', 'B', 'C'].map((sku, popularity) => toRow(sku, { product: { name: 'Wheel bearing' }, popularity })),
      toRow('D', { product: { name: 'Wheel bearing' }, popularity: 1, band: 'OUT' }),
      toRow('E', { product: { name: 'Wheel bearing', active: false }, popularity: 9 }),
    ])
    const found = (limit: number) => ranked.suggest({ text: 'wheel be', limit }).products.map(({ sku }) => sku)
    expect([found(9), found(2)]).to.deep.equal([
      ['C', 'B', 'D', 'A'],
      ['C', 'B'],
    ])
  })

  it('follows the catalog', () => {
    using changing = openTestMirror()
    const names = () => changing.suggest({ text: 'br', limit: 5 }).products.map(({ name }) => name)
    expect(names()).to.deep.equal([])
    changing.write([toRow('A', { product: { name: 'Brake pad' } })])
    expect(names()).to.deep.equal(['Brake pad'])
    changing.write([toRow('A', { product: { name: 'Bracket' } })])
    expect(names()).to.deep.equal(['Bracket'])
    changing.write([toRow('A', { product: { active: false } })])
    expect(names()).to.deep.equal([])
  })

  it('suggests a customer number to that customer alone', () => {
    using own = openTestMirror()
    const reference = { kind: 'CUSTOMER' as const, brand: null, number: 'SHELF-77', customer_id: 'C-1' }
    own.write([toRow('A', { references: [reference] })])
    const found = (customerId: string | null) => own.suggest({ text: 'shelf-7', limit: 5, customerId }).products.length
    expect([found('C-1'), found('C-2'), found(null)]).to.deep.equal([1, 0, 0])
  })

  it('suggests only products that a search for the completed text finds, whatever is typed', () => {
    const names = mirror.find({ limit: 200 }).skus.map((sku) => mirror.nameOf(sku))
    const beginning = fc
      .tuple(fc.constantFrom(...names), fc.nat({ max: 40 }))
      .map(([name, length]) => name.slice(0, 1 + length))
    fc.assert(
      fc.property(beginning, (text) => {
        for (const { sku, name } of suggest(text).products) {
          expect(mirror.nameOf(sku)).to.equal(name)
          expect(mirror.find({ q: name, limit: 200 }).skus).to.include(sku)
        }
      }),
    )
  })

  it('takes any text as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 60 }), fc.nat({ max: 9 }), (text, limit) => {
        const { products, categories, brands, vehicles } = suggest(text, { limit })
        for (const list of [products, categories, brands, vehicles]) expect(list.length).to.be.at.most(limit)
      }),
    )
    for (const text of [
      '',
      ' ',
      '"',
      '*',
      'brake*',
      'NEAR(',
      '\0',
      '\uD800',
      '-',
      'a'.repeat(10_000),
      'brake '.repeat(10_000),
    ])
      expect(suggest(text).products, JSON.stringify(text.slice(0, 20))).to.be.an('array')
  })
})
