import { expect } from 'chai'
import { createPictureReader } from '../../../adapters/tryton/catalog/picture-reader.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { TrytonUserError } from '../../../adapters/tryton/client/rpc-errors.ts'
import { createCall } from '../../support/create-call.ts'
import { on, row } from './attachment-fixture.ts'
import { answeringRpc } from './fake-rpc.ts'

describe('tryton: the original of a picture', () => {
  const read = (rows: unknown, prefix?: string) =>
    createPictureReader(answeringRpc({ 'ir.attachment.search_read': rows }), prefix)('5', createCall())
  const data = { base64: 'AAEC\nAw==\n' }

  it('is the file, with the digest of the server as version', async () => {
    expect(await read([row(5, { data })])).to.deep.equal({ version: 'digest5', bytes: Buffer.from([0, 1, 2, 3]) })
  })

  it('has a version from its times without a digest', async () => {
    const of = async (more: object) => (await read([row(5, { file_id: null, data, ...more })]))!.version
    const versions = await Promise.all([{}, { write_date: on(2) }, { id: 6 }].map(of))
    expect(new Set([...versions, await of({})]).size).to.equal(3)
  })

  it('may be a link, whose version changes when it is written', async () => {
    const link = { type: 'link', link: 'https://cdn.example/a.jpg', file_id: null, data: null }
    const [once, again] = [await read([row(5, link)]), await read([row(5, { ...link, write_date: on(2) })])]
    expect(once).to.deep.include({ url: link.link })
    expect(once!.version).to.not.equal(again!.version)
  })

  it('is null when it is unknown, empty, or not a picture by name', async () => {
    for (const rows of [[], [row(5, { data: null })], [row(5, { name: 'a.pdf', data })]])
      expect(await read(rows)).to.equal(null)
  })

  it('is null without the prefix of the settings', async () => {
    expect(await read([row(5, { data })], 'web-')).to.equal(null)
    expect(await read([row(5, { name: 'web-5.jpg', data })], 'web-')).to.include({ version: 'digest5' })
  })

  it('is read by its id where Tryton refuses the search, for products only', async () => {
    const read = (found: unknown) =>
      createPictureReader(
        answeringRpc({
          'ir.attachment.search_read': new TrytonUserError('You are not allowed to search', ''),
          'ir.attachment.read': found,
        }),
      )('5', createCall())
    expect(await read([row(5, { data, resource: 'product.template,3' })])).to.include({ version: 'digest5' })
    expect(await read([row(5, { data, resource: 'sale.sale,3' })])).to.equal(null)
    expect(await read(new TrytonUserError('You are trying to read records that do not exist.', ''))).to.equal(null)
  })

  it('is read for products only, by a numeric id', async () => {
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
