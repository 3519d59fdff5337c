import { expect } from 'chai'
import { toProduct } from '../../../adapters/tryton/catalog/product-mapping.ts'
import { type ProductRow, productFields } from '../../../adapters/tryton/catalog/product-schemas.ts'

const settings = { database: 'd', user: 'u', password: 'p', option_attributes: { size: 'Size', weight: 'Weight' } }
const unit = { symbol: 'u', factor: 1, rounding: 1 }
const extras = { updatedAtMs: 0, categoryTable: { categories: new Map(), tags: new Map() } as never, media: null }
const row = {
  id: 12,
  code: 'OIL-5',
  name: 'Motor Oil',
  products: [11, 12],
  attributes: { weight: { __class__: 'Decimal', decimal: '4.5' }, size: '5 l', brand: 'Lubra' },
  categories: [],
  'default_uom.': unit,
  'template.': { id: 7 },
} as unknown as ProductRow
const variantOf = (members: object, own = settings) => {
  const { variant_of, options } = toProduct({ ...row, ...members }, extras, own as never)
  return { variant_of, options }
}
const none = { variant_of: undefined, options: undefined }

describe('tryton: variants', () => {
  it('have the template in common, and their attributes as options in the order of the setting', () => {
    expect(variantOf({})).to.deep.equal({
      variant_of: { parent_id: '7', name: 'Motor Oil' },
      options: [
        { name: 'Size', value: '5 l' },
        { name: 'Weight', value: '4.5' },
      ],
    })
    expect(variantOf({ attributes: { size: 3 } }).options).to.deep.equal([{ name: 'Size', value: '3' }])
  })

  it('are not the only product of a template, nor those without such an attribute', () => {
    expect(variantOf({ products: [12] })).to.deep.equal(none)
    for (const attributes of [null, {}, { size: null }, { size: '' }, { size: ['a'] }])
      expect(variantOf({ attributes })).to.deep.equal(none)
  })

  it('are asked for only with the setting', () => {
    const { option_attributes: _, ...without } = settings
    expect(variantOf({}, without as never)).to.deep.equal(none)
    expect(productFields(without, false)).to.not.include.members(['template.products'])
    expect(productFields(settings, false)).to.include.members(['template.products', 'attributes'])
  })
})
