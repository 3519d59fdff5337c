import { expect } from 'chai'
import { createPiesFormat, defaultInterchangeKinds } from '../../../src/references/pies/pies-format.ts'
import { referenceImports } from '../../../src/storage/references/reference-imports.ts'
import { type Api, startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { importReferenceText } from '../../support/import-reference-text.ts'
import { until } from '../../support/until.ts'

/** The inventory has a description of the first product, and none of the second. */
const [DESCRIBED, UNDESCRIBED] = ['BP-1001', 'BS-1017']
const TEXT = 'Zirconglide lining.\nFor quiet braking.'
const item = (sku: string) =>
  `<Item><PartNumber>${sku}</PartNumber><Descriptions><Description DescriptionCode="MKT">${TEXT}</Description></Descriptions></Item>`
const FILE = `<PIES><Items>${item(DESCRIBED)}${item(UNDESCRIBED)}</Items></PIES>`

describeWithAndWithoutMirror('an imported description', (mirror) => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror })
    key = await api.key()
    await api.fillMirror()
  })
  after(() => api[Symbol.asyncDispose]())

  const get = async (path: string) => (await api.request(path, { key })).body
  /** Without the times of prices, which are those of each fill. */
  const read = async (sku: string) =>
    JSON.parse(JSON.stringify(await get(`/v1/products/${sku}`), (name, value) => (name === 'as_of' ? null : value)))
  const find = async (): Promise<string[]> =>
    (await get('/v1/products?q=zirconglide')).data.map(({ sku }: { sku: string }) => sku)
  const isShown = async () => (await read(UNDESCRIBED)).description !== null

  it('is on the page of a product of which the inventory has none, and is searched, with a mirror', async () => {
    const [described, undescribed] = [await read(DESCRIBED), await read(UNDESCRIBED)]
    expect([typeof described.description, undescribed.description]).to.deep.equal(['string', null])
    const format = createPiesFormat(defaultInterchangeKinds)
    expect((await importReferenceText(api.db, FILE, { format })).outcome).to.equal('imported')
    await api.fillMirror({ skus: [DESCRIBED, UNDESCRIBED] })
    if (mirror) await until('the import is shown', async () => (await isShown()) && (await find()).length > 0)
    expect(await read(UNDESCRIBED)).to.deep.equal({ ...undescribed, description: mirror ? TEXT : null })
    expect(await read(DESCRIBED)).to.deep.equal(described)
    expect(await find()).to.deep.equal(mirror ? [UNDESCRIBED] : [])
    await referenceImports.deactivate(api.db, { merchant: 'acme', mode: 'sandbox' }, new Date().toISOString())
    await api.fillMirror({ skus: [DESCRIBED, UNDESCRIBED] })
    await until('the import is not shown', async () => !(await isShown()) && (await find()).length === 0)
    expect(await read(UNDESCRIBED)).to.deep.equal(undescribed)
  })
})
