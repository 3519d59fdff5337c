import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'

describe('an unknown or repeated query parameter', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  const hintOf = async (query: string, headers = {}) => {
    const reply = await api.request(`/v1/products?${query}`, { key, headers })
    return { ...reply, hint: reply.headers['forecourt-hint'] as string | undefined }
  }

  const remedies: Record<string, string> = {
    availability: ' Its values are IN_STOCK, LOW, OUT and LEAD_TIME.',
    offset: ' It counts rows, not pages. The pagination of each response has the next one as next_offset.',
    sort: ' With a minus sign, it sorts downwards: sort=-price.',
    vehicle_id: ' GET /v1/vehicles/models lists the values.',
  }

  for (const [name, similar] of Object.entries({
    categry: 'category',
    Category: 'category',
    categories: 'category',
    perPage: 'limit',
    page: 'offset',
    'max-price': 'max_price',
    minPrice: 'min_price',
    'brand[]': 'brand',
    updatedSince: 'updated_since',
    order_by: 'sort',
    order: 'sort',
    in_stock: 'availability',
    price_max: 'max_price',
    make: 'vehicle_id',
    year: 'vehicle_id',
    sku: 'skus',
    cursor: 'offset',
    'filter[brand]': 'brand',
  })) {
    it(`is named when it resembles a known one: ${name}`, async () => {
      const { status, hint } = await hintOf(`${name}=1&limit=2`)
      expect([status, hint]).to.deep.equal([
        200,
        `The query parameter "${name}" is unknown and was ignored. Did you mean "${similar}"?${remedies[similar] ?? ''}`,
      ])
    })
  }

  it('is named without escapes', async () => {
    expect((await hintOf('brand%5B%5D=Orbit')).hint).to.include(
      '"brand[]" is unknown and was ignored. Did you mean "brand"?',
    )
  })

  for (const query of ['tenant_id=zenith', 'utm_source=mail', '_=1', 'category=brake-pads', '%ff=1', '=', 'x'])
    it(`is not named otherwise: ${query}`, async () => {
      expect((await hintOf(`${query}&limit=2`)).hint).to.equal(undefined)
    })

  it('is named if nothing does here what it does elsewhere', async () => {
    const unknown = (name: string) => `The query parameter "${name}" is unknown and was ignored.`
    expect((await hintOf('currency=USD&limit=2')).hint).to.equal(
      `${unknown('currency')} Prices are in the currency of the merchant.`,
    )
    expect((await hintOf('fields=sku&limit=2')).hint).to.equal(
      `${unknown('fields')} A response always has all its members.`,
    )
  })

  it('is named if it is repeated, unless all of its values count', async () => {
    const repeated = (name: string) =>
      `The query parameter "${name}" was sent more than once. Only its last value is used.`
    expect((await hintOf('sort=relevance&sort=relevance&limit=2')).hint).to.equal(repeated('sort'))
    expect((await hintOf('q=brake&limit=2&q=pads')).hint).to.equal(repeated('q'))
    for (const query of ['skus=BP-1001&skus=BP-1002', 'category=a&category=a', 'x=1&x=2'])
      expect((await hintOf(`${query}&limit=2`)).hint, query).to.equal(undefined)
  })

  it('is named in each response, also from the cache, and the body is the same', async () => {
    const plain = await hintOf('limit=3')
    for (let i = 0; i < 3; i += 1) {
      const { hint, text, headers } = await hintOf('limit=3&categry=x')
      expect([text, headers.etag]).to.deep.equal([plain.text, plain.headers.etag])
      expect(hint).to.include('"category"')
      const again = await hintOf('limit=3&categry=x', { 'if-none-match': headers.etag })
      expect([again.status, again.hint]).to.deep.equal([304, hint])
    }
  })
})
