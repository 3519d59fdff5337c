import { expect } from 'chai'
import { openDemoMirror } from '../../catalog/demo-mirror.ts'
import type { TestMirror } from '../../catalog/test-mirror.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createFileMirrorReader, type FileMirrorReader, useMirror } from '../../support/file-mirror-reader.ts'

describe('GET /v1/suggest', () => {
  let api: Api
  let key: string
  let file: TestMirror
  let mirror: FileMirrorReader

  before(async () => {
    api = await startApi()
    key = await api.key()
    file = openDemoMirror()
    mirror = createFileMirrorReader(file)
    useMirror(api, mirror)
  })
  after(async () => {
    mirror[Symbol.dispose]()
    file[Symbol.dispose]()
    await api[Symbol.asyncDispose]()
  })

  it('suggests products, categories, brands and vehicles, with an ETag', async () => {
    const { status, headers, body } = await api.request('/v1/suggest?q=BP1001&limit=1', { key })
    expect([status, headers.etag]).to.deep.equal([200, headers.etag!])
    expect(body).to.deep.equal({
      products: [{ sku: 'BP-1001', name: 'BP-1001', slug: 'bp-1001' }],
      categories: [],
      brands: [{ value: 'Ozaki', count: 2 }],
      vehicles: [],
      errors: [],
    })
    const again = await api.request('/v1/suggest?q=BP1001&limit=1', { key, headers: { 'if-none-match': headers.etag } })
    expect(again.status).to.equal(304)
  })

  it('suggests nothing for a blank text', async () => {
    const { body } = await api.request('/v1/suggest?q=%20', { key })
    expect(body).to.deep.equal({ products: [], categories: [], brands: [], vehicles: [], errors: [] })
  })

  it('needs a text', async () => {
    const { status, body } = await api.request('/v1/suggest', { key })
    expect([status, body.detail[0].type]).to.deep.equal([422, 'missing'])
  })

  it('is refused without a mirror, and asks to retry while it is filled', async () => {
    mirror.state = 'off'
    const off = await api.request('/v1/suggest?q=brake', { key })
    expect([off.status, off.body.detail[0].type, off.body.detail[0].loc]).to.deep.equal([
      422,
      'mirror_required',
      ['query', 'q'],
    ])
    mirror.state = 'filling'
    const filling = await api.request('/v1/suggest?q=brake', { key })
    expect([filling.status, filling.body.code, filling.headers['retry-after']]).to.deep.equal([
      503,
      'catalog_loading',
      '5',
    ])
  })
})
