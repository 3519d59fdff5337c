import { expect } from 'chai'
import { createProductPictureReader } from '../../../adapters/tryton/catalog/product-pictures.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { pictureUrls } from '../../support/fake-picture-urls.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { on, row } from './attachment-fixture.ts'
import { answeringRpc } from './fake-rpc.ts'

const ms = (day: number) => Date.UTC(2026, 2, day, 10)

const holder = { id: 7, 'template.': { id: 3 } }

const attached = (rows: unknown, prefix?: string) =>
  createProductPictureReader(
    answeringRpc({ 'ir.attachment.search_read': rows, 'product.product.search_read': [holder] }),
    trytonMerchant,
    prefix,
  )(['A'], createCall())

describe("tryton: a product's pictures", () => {
  it('are those of the variant and of its template, in the order that Tryton gave', async () => {
    const rows = [row(9, { resource: 'product.template,3' }), row(2), row(4, { resource: 'product.product,8' })]
    const media = (await attached(rows))!.mediaOf(holder)
    expect(media).to.deep.equal([
      {
        media_id: '9',
        position: 1,
        alt: null,
        kind: 'IMAGE',
        width: null,
        height: null,
        ...pictureUrls({ source: '9', version: 'digest9' }),
      },
      {
        media_id: '2',
        position: 2,
        alt: null,
        kind: 'IMAGE',
        width: null,
        height: null,
        ...pictureUrls({ source: '2', version: 'digest2' }),
      },
    ])
  })

  it('are recognised by name, for files and links', async () => {
    const link = (id: number, url: string, name = 'a link') => row(id, { type: 'link', name, link: url, file_id: null })
    const rows = [
      row(1, { name: 'A.JPEG' }),
      row(2, { name: 'a.png' }),
      row(3, { name: 'a.pdf' }),
      row(4, { name: 'jpg' }),
      link(5, 'https://cdn.example/a.webp?w=1'),
      link(6, 'https://cdn.example/a', 'front.gif'),
      link(7, 'javascript:alert(1)', 'a.jpg'),
      link(8, 'https://cdn.example/page'),
      link(9, '', 'a.jpg'),
      row(10, { type: 'link', link: null }),
    ]
    expect((await attached(rows))!.mediaOf(holder).map(({ media_id }) => media_id)).to.deep.equal(['1', '2', '5', '6'])
  })

  it('are limited to the prefix of the settings', async () => {
    const link = { type: 'link', link: 'https://cdn.example/web-a.jpg', file_id: null }
    const rows = [
      row(1, { name: 'web-front.jpg' }),
      row(2, { name: 'cost.jpg' }),
      row(3, { name: 'web-a.pdf' }),
      row(4, { ...link, name: 'web-link' }),
      row(5, { ...link, name: 'drawing' }),
    ]
    const ids = async (prefix?: string) =>
      (await attached(rows, prefix))!.mediaOf(holder).map(({ media_id }) => media_id)
    expect(await ids('web-')).to.deep.equal(['1', '4'])
    expect(await ids()).to.deep.equal(['1', '2', '4', '5'])
  })

  it('have the first line of their description as alt text', async () => {
    const [picture] = (await attached([row(1, { description: ' From the front \nTaken in May' })]))!.mediaOf(holder)
    expect(picture!.alt).to.equal('From the front')
  })

  it('are twenty at most, and an invalid one is left out', async () => {
    const rows = [{ id: 'x' }, ...Array.from({ length: 30 }, (_, at) => row(at + 1))]
    expect((await attached(rows))!.mediaOf(holder)).to.have.length(20)
  })

  it('are found when there are more attachments than one response may hold', async () => {
    const papers = Array.from({ length: 2_000 }, (_, at) => row(at + 1, { name: 'a.pdf', create_date: on(2) }))
    const asked: string[] = []
    const rpc: Rpc = async (shape, _method, params) => {
      asked.push(JSON.stringify(params[0]))
      return shape.parse(asked.length === 1 ? papers : [row(9_000, { create_date: on(1) })])
    }
    const found = (await createProductPictureReader(rpc, trytonMerchant)(['A', 'B'], createCall()))!
    expect(found.mediaOf(holder).map(({ media_id }) => media_id)).to.deep.equal(['9000'])
    expect(found.lastChangedAtMs([holder])).to.equal(ms(2))
    expect(asked).to.have.length(2)
    expect(asked[1]).to.include('["name","ilike","%.jpg"]').and.include('["type","=","link"]').and.include(asked[0])
  })

  it('count as a change of the product, and so do other attachments, which may have been pictures', async () => {
    const found = (await attached([row(1, { write_date: on(5) }), row(2, { name: 'a.pdf', create_date: on(9) })]))!
    expect(found.lastChangedAtMs([holder])).to.equal(ms(9))
    expect(found.lastChangedAtMs([{ id: 1, 'template.': { id: 1 } }])).to.equal(0)
  })

  it('are searched by their records where Tryton refuses a search by code', async () => {
    const asked: string[] = []
    const rpc: Rpc = async (shape, method, params) => {
      const domain = JSON.stringify(params[0])
      asked.push(method.startsWith('product.') ? 'products' : domain.includes('code') ? 'by code' : 'by record')
      if (method === 'product.product.search_read') return shape.parse([holder])
      if (domain.includes('code')) throw new UpstreamError('rejected', 'You are not allowed to search')
      expect(params[0]).to.deep.equal([['resource', 'in', ['product.product,7', 'product.template,3']]])
      return shape.parse([row(2)])
    }
    const read = createProductPictureReader(rpc, trytonMerchant)
    for (let page = 0; page < 2; page += 1)
      expect((await read(['A'], createCall()))!.mediaOf(holder).map(({ media_id }) => media_id)).to.deep.equal(['2'])
    expect(asked).to.deep.equal(['by code', 'products', 'by record', 'products', 'by record'])
  })

  it('are unknown, not empty, for an account that may not read them', async () => {
    expect(await attached(new UpstreamError('rejected', 'You are not allowed to access "Attachment".'))).to.equal(null)
    expect((await failureOf(attached(new UpstreamError('timeout', 'late')))).failure).to.equal('timeout')
  })
})
