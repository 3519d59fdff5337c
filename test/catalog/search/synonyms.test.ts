import { expect } from 'chai'
import { createSynonyms } from '../../../src/catalog/search/words/synonyms.ts'
import { toRow } from '../mirror-rows.ts'
import { openTestMirror } from '../test-mirror.ts'

const groups = [
  ['rotor', 'Brake Discs', 'disc'],
  ['headlight', 'headlamp'],
]

describe('synonyms', () => {
  const { expand } = createSynonyms(groups)

  it('replace words and phrases, the longest phrase first', () => {
    expect(expand('front rotors')).to.deep.equal(['front rotors', 'front brake disc', 'front disc'])
    expect(expand('Brake disc')).to.deep.equal(['Brake disc', 'rotor', 'disc'])
    expect(expand('brake pad')).to.deep.equal(['brake pad'])
    expect(expand('')).to.deep.equal([''])
  })

  it('make at most eight texts', () => {
    expect(expand('rotor headlight')).to.have.members([
      'rotor headlight',
      'brake disc headlight',
      'disc headlight',
      'rotor headlamp',
      'brake disc headlamp',
      'disc headlamp',
    ])
    expect(expand('rotor headlight rotor headlight')).to.have.length(8)
  })

  it('leave the other words as they are, and give each word a turn', () => {
    expect(expand('rotor nissan kicks')).to.deep.equal([
      'rotor nissan kicks',
      'brake disc nissan kicks',
      'disc nissan kicks',
    ])
    const large = createSynonyms([
      ['a', ...'bcdefgh'],
      ['headlight', 'headlamp'],
    ])
    expect(large.expand('a headlight')).to.include('a headlamp').and.have.length(8)
  })

  it('are the same in the singular and the plural, also in two groups', () => {
    const { expand } = createSynonyms([
      ['rotor', 'disc'],
      ['rotors', 'plate'],
    ])
    expect(expand('rotor')).to.deep.equal(['rotor', 'disc', 'plate'])
  })

  it('know a phrase that is written as one word', () => {
    const { expand } = createSynonyms([['tail light', 'tail lamp']])
    expect(expand('left taillights')).to.deep.equal(['left taillights', 'left tail lamp'])
  })

  it('do not complete the first word of a phrase as the whole phrase', () => {
    const { expand } = createSynonyms([['brake pad', 'lining']])
    const typing = (text: string) => expand(text, { isTyping: true })
    for (const text of ['bra', 'brake', 'brakes', 'front brake']) expect(typing(text), text).to.deep.equal([text])
    for (const text of ['brakep', 'brake p', 'brakepad', 'brake pads'])
      expect(typing(text), text).to.deep.equal([text, 'lining'])
    using mirror = openTestMirror({ reuseMs: 0, suggestReuseMs: 0, synonyms: [['brake pad', 'lining']] })
    mirror.write(['Brake hose', 'Lining'].map((name) => toRow(name.toUpperCase(), { product: { name } })))
    const suggested = (text: string) => mirror.suggest({ text, limit: 5 }).products.map(({ name }) => name)
    expect([suggested('brake'), suggested('brakep'), suggested('brake pa')]).to.deep.equal([
      ['Brake hose'],
      ['Lining'],
      ['Lining'],
    ])
  })

  it('complete the last word while somebody is typing', () => {
    expect(expand('left headl', { isTyping: true })).to.deep.equal(['left headl', 'left headlamp'])
    expect(expand('brake d', { isTyping: true })).to.deep.equal(['brake d', 'rotor', 'disc'])
    expect(expand('he', { isTyping: true })).to.deep.equal(['he'])
    expect(expand('left headl')).to.deep.equal(['left headl'])
  })

  it('find the same products in the same order, and correct the spelling', () => {
    using mirror = openTestMirror({ reuseMs: 0, suggestReuseMs: 0, synonyms: groups })
    const write = (sku: string, name: string, popularity = 0) => toRow(sku, { product: { name }, popularity })
    mirror.write([
      write('A', 'Front Brake Disc', 8),
      write('B', 'Front Rotor'),
      write('C', 'Disc of steel', 2),
      write('D', 'Bolt'),
    ])
    const { skus, total } = mirror.find({ q: 'rotors' })
    expect([skus, total]).to.deep.equal([['A', 'C', 'B'], 3])
    expect(mirror.find({ q: 'discs' }).skus).to.deep.equal(skus)
    expect(mirror.find({ q: 'front rotor' }).skus).to.deep.equal(['A', 'B'])
    const { corrected, skus: ofCorrected } = mirror.find({ q: 'headlihgt' })
    expect([corrected, ofCorrected]).to.deep.equal([null, []])
    expect(mirror.find({ q: 'rottor' })).to.deep.include({ corrected: 'rotor', skus })
    const suggested = mirror.suggest({ text: 'roto', limit: 2 }).products
    expect(suggested.map(({ sku }) => sku)).to.deep.equal(['B', 'A'])
  })

  it('hide no correction, if their words find nothing', () => {
    const synonyms = [
      ['disk', 'plate'],
      ['polyrib belt', 'fan belt'],
      ['rotor', 'disc'],
      ['chevy', 'chevrolet'],
    ]
    using mirror = openTestMirror({ reuseMs: 0, suggestReuseMs: 0, synonyms })
    const vehicle = { vehicle_id: 1, year: 2010, make: 'Chevrolet', model: 'Aveo' }
    const write = (sku: string, name: string, vehicles: number[] = []) => toRow(sku, { product: { name }, vehicles })
    mirror.write([write('DISC', 'Brake Disc'), write('POLYRIX', 'Polyrix'), write('FIT', 'Filter', [1])], {
      vehicles: [{ ...vehicle, submodel: null, engine: null, market: 'US' }],
    })
    const found = (q: string) => {
      const { skus, corrected } = mirror.find({ q })
      return [skus, corrected]
    }
    expect(found('brake disk'), 'a word of the group').to.deep.equal([['DISC'], 'brake disc'])
    expect(found('polyrib'), 'a word near to one').to.deep.equal([['POLYRIX'], 'polyrix'])
    expect(found('brake rottor'), 'a group that finds products').to.deep.equal([['DISC'], 'brake rotor'])
    expect(found('chevy filtre'), 'a group that finds vehicles').to.deep.equal([['FIT'], 'chevy filter'])
  })

  it('change nothing where there are none', () => {
    using mirror = openTestMirror()
    mirror.write([toRow('A', { product: { name: 'Brake Disc' } })])
    expect(mirror.find({ q: 'rotor' }).skus).to.deep.equal([])
  })
})
