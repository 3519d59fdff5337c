import { expect } from 'chai'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'

interface Node {
  category_id: string
  slug: string
  parent_id: string | null
  depth: number
  position: number
  product_count: number
  children: Node[]
}

describeWithAndWithoutMirror('GET /v1/categories and /v1/tags', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api[Symbol.asyncDispose]())

  it('returns a tree with the depth and position of each node', async () => {
    const { data, errors } = (await api.request('/v1/categories', { key })).body
    expect(errors).to.deep.equal([])
    expect(data).to.have.length(8)
    const walk = (nodes: Node[], parent: string | null, depth: number): void => {
      expect(nodes.map(({ position }) => position)).to.deep.equal(nodes.map((_, i) => i))
      for (const node of nodes) {
        expect([node.parent_id, node.depth]).to.deep.equal([parent, depth])
        walk(node.children, node.category_id, depth + 1)
      }
    }
    walk(data, null, 0)
  })

  it('returns a complete branch', async () => {
    const { data } = (await api.request('/v1/categories', { key })).body
    expect(data[0].children[0].children[0]).to.deep.equal({
      category_id: '101010',
      name: 'Brake Pads',
      slug: 'brake-pads',
      parent_id: '1010',
      depth: 2,
      position: 0,
      product_count: 39,
      children: [],
    })
  })

  it('counts as many products as the product list finds', async () => {
    const { data } = (await api.request('/v1/categories', { key })).body as { data: Node[] }
    for (const { slug, product_count } of data) {
      const { body } = await api.request(`/v1/products?category=${slug}&limit=1`, { key })
      expect(body.pagination.total, slug).to.equal(product_count)
    }
  })

  it('returns the tags in use, with as many products as the product list finds', async () => {
    const { data, errors } = (await api.request('/v1/tags', { key })).body
    expect(errors).to.deep.equal([])
    expect(data).to.deep.include({ tag: 'clearance', name: 'Clearance', count: 35 })
    for (const { tag, count } of data) {
      const { body } = await api.request(`/v1/products?tag=${tag}&limit=1`, { key })
      expect(body.pagination.total, tag).to.equal(count)
    }
  })
})
