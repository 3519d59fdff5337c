import { expect } from 'chai'
import { createPictureReader } from '../../../adapters/tryton/catalog/picture-content.ts'
import { createProductChangeReader } from '../../../adapters/tryton/catalog/product-changes.ts'
import { createProductPictureReader } from '../../../adapters/tryton/catalog/product-pictures.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { pictureUrls } from '../../support/picture-urls.ts'
import { trytonMerchant } from '../../support/tryton/connect-tryton.ts'
import { createCall, failureOf } from '../conformance/subject.ts'

const on = (day: number) => ({ year: 2026, month: 3, day, hour: 10, minute: 0, second: 0, microsecond: 0 })
const ms = (day: number) => Date.UTC(2026, 2, day, 10)
const holder = { id: 7, 'template.': { id: 3 } }
const row = (id: number, more: object = {}) => ({
  ...{ id, name: `${id}.jpg`, type: 'data', link: null, file_id: `digest${id}`, description: null },
  ...{ create_date: on(1), write_date: null, resource: 'product.product,7', ...more },
})
/** A server that answers each method with this. */
const answering =
  (answers: Record<string, unknown>): Rpc =>
  async (shape, method) => {
    const answer = answers[method]
    if (answer instanceof Error) throw answer
    return shape.parse(answer)
  }
const attached = (rows: unknown, prefix?: string) =>
  createProductPictureReader(
    answering({ 'ir.attachment.search_read': rows }),
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

  it('are told by their names, of files and of links alike', async () => {
    const link = (id: number, url: string, name = 'a link') => row(id, { type: 'link', name, link: url, file_id: null })
    const rows = [
      ...[row(1, { name: 'A.JPEG' }), row(2, { name: 'a.png' }), row(3, { name: 'a.pdf' }), row(4, { name: 'jpg' })],
      ...[link(5, 'https://cdn.example/a.webp?w=1'), link(6, 'https://cdn.example/a', 'front.gif')],
      ...[link(7, 'javascript:alert(1)', 'a.jpg'), link(8, 'https://cdn.example/page'), link(9, '', 'a.jpg')],
      row(10, { type: 'link', link: null }),
    ]
    expect((await attached(rows))!.mediaOf(holder).map(({ media_id }) => media_id)).to.deep.equal(['1', '2', '5', '6'])
  })

  it('are those alone whose names begin as the settings say', async () => {
    const link = { type: 'link', link: 'https://cdn.example/web-a.jpg', file_id: null }
    const rows = [
      ...[row(1, { name: 'web-front.jpg' }), row(2, { name: 'cost.jpg' }), row(3, { name: 'web-a.pdf' })],
      ...[row(4, { ...link, name: 'web-link' }), row(5, { ...link, name: 'drawing' })],
    ]
    const ids = async (prefix?: string) =>
      (await attached(rows, prefix))!.mediaOf(holder).map(({ media_id }) => media_id)
    expect(await ids('web-')).to.deep.equal(['1', '4'])
    expect(await ids()).to.deep.equal(['1', '2', '4', '5'])
  })

  it('have the first line of what was written about them', async () => {
    const [picture] = (await attached([row(1, { description: ' From the front \nTaken in May' })]))!.mediaOf(holder)
    expect(picture!.alt).to.equal('From the front')
  })

  it('are twenty at the most, and one that cannot be read costs no other', async () => {
    const rows = [{ id: 'x' }, ...Array.from({ length: 30 }, (_, at) => row(at + 1))]
    expect((await attached(rows))!.mediaOf(holder)).to.have.length(20)
  })

  it('are found among more than one answer may hold, with whichever SKUs they are asked for', async () => {
    const papers = Array.from({ length: 2_000 }, (_, at) => row(at + 1, { name: 'a.pdf', create_date: on(2) }))
    const asked: string[] = []
    const rpc: Rpc = async (shape, _method, params) => {
      asked.push(JSON.stringify(params[0]))
      return shape.parse(asked.length === 1 ? papers : [row(9_000, { create_date: on(1) })])
    }
    const found = (await createProductPictureReader(rpc, trytonMerchant)(['A', 'B'], createCall()))!
    expect(found.mediaOf(holder).map(({ media_id }) => media_id)).to.deep.equal(['9000'])
    expect(found.changedAt([holder])).to.equal(ms(2))
    expect(asked).to.have.length(2)
    expect(asked[1]).to.include('["name","ilike","%.jpg"]').and.include('["type","=","link"]').and.include(asked[0])
  })

  it('count as a change of the product, and what is no picture too: it may have been one', async () => {
    const found = (await attached([row(1, { write_date: on(5) }), row(2, { name: 'a.pdf', create_date: on(9) })]))!
    expect(found.changedAt([holder])).to.equal(ms(9))
    expect(found.changedAt([{ id: 1, 'template.': { id: 1 } }])).to.equal(0)
  })

  it('are unknown, rather than none, to an account that may not see them', async () => {
    expect(await attached(new UpstreamError('rejected', 'You are not allowed to access "Attachment".'))).to.equal(null)
    expect((await failureOf(attached(new UpstreamError('timeout', 'late')))).failure).to.equal('timeout')
  })
})

describe('tryton: an original', () => {
  const read = (rows: unknown, prefix?: string) =>
    createPictureReader(answering({ 'ir.attachment.search_read': rows }), prefix)('5', createCall())
  const data = { base64: 'AAEC\nAw==\n' }

  it('is the file, known by the digest that the server keeps', async () => {
    expect(await read([row(5, { data })])).to.deep.equal({ version: 'digest5', bytes: Buffer.from([0, 1, 2, 3]) })
  })

  it('is known by its times where the server keeps no digest', async () => {
    const of = async (more: object) => (await read([row(5, { file_id: null, data, ...more })]))!.version
    const versions = await Promise.all([{}, { write_date: on(2) }, { id: 6 }].map(of))
    expect(new Set([...versions, await of({})]).size).to.equal(3)
  })

  it('may be a link, which is another one when it is written anew', async () => {
    const link = { type: 'link', link: 'https://cdn.example/a.jpg', file_id: null, data: null }
    const [once, again] = [await read([row(5, link)]), await read([row(5, { ...link, write_date: on(2) })])]
    expect(once).to.deep.include({ url: link.link })
    expect(once!.version).to.not.equal(again!.version)
  })

  it('is none of what is not there, is empty, or is called otherwise', async () => {
    for (const rows of [[], [row(5, { data: null })], [row(5, { name: 'a.pdf', data })]])
      expect(await read(rows)).to.equal(null)
  })

  it('is none where its name does not begin as the settings say', async () => {
    expect(await read([row(5, { data })], 'web-')).to.equal(null)
    expect(await read([row(5, { name: 'web-5.jpg', data })], 'web-')).to.include({ version: 'digest5' })
  })

  it('is asked of products alone, and by a number', async () => {
    let asked: unknown[] = []
    const rpc: Rpc = async (shape, _method, params) => {
      asked = params
      return shape.parse([])
    }
    await createPictureReader(rpc)('5', createCall())
    expect(JSON.stringify(asked[0])).to.include('product.template,%').and.include('product.product,%')
    asked = []
    for (const source of ['', '0', '-5', '5 ', '1e3', '../5'])
      expect(await createPictureReader(rpc)(source, createCall())).to.equal(null)
    expect(asked).to.deep.equal([])
  })
})

describe('tryton: pictures among the changes', () => {
  const dates = { write_date: null, create_date: on(1) }
  const product = (id: number, code: string) => ({ id, code, active: true, ...dates, 'template.': { id, ...dates } })

  it('bring their products, on whichever record they hang, with the latest time of all', async () => {
    const list = (await createProductChangeReader(
      async (shape, method, params) => {
        if (method === 'ir.attachment.search_read') {
          const hung = (resource: string, day: number) => ({
            id: day,
            resource,
            create_date: on(1),
            write_date: on(day),
          })
          return shape.parse([
            hung('product.product,1', 6),
            hung('product.template,2', 5),
            hung('product.template,2', 8),
          ])
        }
        const wanted = JSON.stringify(params[0]).includes('"template","in"')
        return shape.parse(
          wanted ? [product(1, 'A'), product(2, 'B'), product(3, 'C')] : [product(2, 'B'), product(4, 'D')],
        )
      },
      () => 0,
    )(ms(1), [], 0, createCall())) as string[]
    expect(list).to.deep.equal(['D', 'A', 'B'])
  })

  it('may be as many as products may be: they are read in parts, and their products with each', async () => {
    const all = Array.from({ length: 12_000 }, (_, at) => at + 1)
    const sizes: number[] = []
    const rpc: Rpc = async (shape, method, [domain, , limit]) => {
      const asked = JSON.stringify(domain)
      if (method === 'ir.attachment.search_read') {
        const after = Number(/"id",">",(\d+)/.exec(asked)?.[1] ?? 0)
        const hung = (id: number) => ({ id, resource: `product.product,${id}`, ...dates })
        return shape.parse(
          all
            .filter((id) => id > after)
            .slice(0, limit as number)
            .map(hung),
        )
      }
      if (!asked.includes('"template","in"')) return shape.parse([])
      const ids = (JSON.parse(/"id","in",(\[[^\]]*\])/.exec(asked)![1]!) as number[]) ?? []
      sizes.push(ids.length)
      return shape.parse(ids.map((id) => product(id, `S${id}`)))
    }
    expect(await createProductChangeReader(rpc, () => 0)(ms(1), [], 0, createCall())).to.have.length(12_000)
    expect(Math.max(...sizes)).to.equal(5_000)
  })
})
