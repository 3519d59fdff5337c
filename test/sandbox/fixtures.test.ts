import { readdir, readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { categories } from '../../fixtures/categories.ts'
import { customers } from '../../fixtures/customers.ts'
import { knownSkus } from '../../fixtures/known-skus.ts'
import { listPriceOf, priceLists } from '../../fixtures/prices.ts'
import { generateProducts } from '../../fixtures/products.ts'
import { generateReferences } from '../../fixtures/references.ts'
import { stockOf } from '../../fixtures/stock.ts'
import { tags } from '../../fixtures/tags.ts'
import { taxCodeOf } from '../../fixtures/taxes.ts'
import { vehicles } from '../../fixtures/vehicles.ts'

describe('the fixtures', () => {
  const products = generateProducts()
  const countOf = (matches: (product: (typeof products)[number]) => boolean) => products.filter(matches).length

  it('are the same at every call', () => {
    expect(generateProducts()).to.deep.equal(products)
  })

  it('have over a thousand products with unique SKUs, slugs and barcodes', () => {
    expect(products.length).to.be.within(1200, 1400)
    for (const member of ['sku', 'slug'] as const) {
      expect(new Set(products.map((product) => product[member])).size).to.equal(products.length)
    }
    const barcodes = products.flatMap(({ barcode }) => barcode ?? [])
    expect(new Set(barcodes).size).to.equal(barcodes.length)
    expect(countOf(({ active }) => !active)).to.be.within(20, 80)
    for (const sku of Object.values(knownSkus).flat())
      expect(
        countOf((product) => product.sku === sku),
        sku,
      ).to.equal(1)
  })

  it('have a category tree of three levels, and known tags', () => {
    const known = new Map(categories.map((category) => [category.category_id, category]))
    const depth = (id: string | null): number => (id === null ? 0 : 1 + depth(known.get(id)!.parent_id))
    expect(Math.max(...categories.map(({ category_id }) => depth(category_id)))).to.equal(3)
    expect(new Set(categories.map((category) => category.slug)).size).to.equal(categories.length)
    const used = new Set(products.flatMap((product) => product.tags))
    expect([...used].sort()).to.deep.equal(Object.keys(tags).sort())
    for (const { category_ids } of products) for (const id of category_ids) expect(depth(id)).to.equal(3)
    const leaves = categories.filter(({ category_id }) => depth(category_id) === 3)
    expect(
      leaves.filter(({ category_id }) => !products.some((product) => product.category_ids.includes(category_id))),
    ).to.deep.equal([])
  })

  it('have stock of every kind', () => {
    const stocks = products.map(stockOf).filter((stock) => stock !== null)
    const share = (matches: (stock: (typeof stocks)[number]) => boolean) =>
      stocks.filter(matches).length / stocks.length
    const late = (stock: (typeof stocks)[number]) => stock.expected.some(({ inDays }) => inDays < 0)
    const coming = (stock: (typeof stocks)[number]) => stock.expected.some(({ inDays }) => inDays > 0)
    expect(share(({ available }) => available >= 30)).to.be.within(0.5, 0.7)
    expect(share(({ available }) => available > 0 && available < 5)).to.be.within(0.1, 0.2)
    const outOfStock = stocks.filter(({ available }) => available <= 0)
    for (const [overdue, future] of [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ] as const) {
      const alike = outOfStock.filter((stock) => late(stock) === overdue && coming(stock) === future)
      expect(alike.length, `overdue ${overdue}, future ${future}`).to.be.greaterThan(30)
    }
    expect(share(({ available }) => available < 0)).to.be.greaterThan(0.005)
  })

  it('have prices with breaks, a few products without a price, and exempt ones', () => {
    const prices = products.map(listPriceOf)
    expect(prices.filter((price) => price === null).length).to.be.within(2, 30)
    expect(prices.filter((price) => price && price.breaks.length > 0).length).to.be.greaterThan(150)
    for (const price of prices) expect(price?.amount ?? '1.00').to.match(/^[1-9]\d*\.\d{2,4}$/)
    expect(countOf((product) => taxCodeOf(product) === 'EXEMPT')).to.be.within(5, 60)
    expect(priceLists).to.have.lengthOf(2)
    expect(countOf((product) => product.units.length > 1)).to.be.greaterThan(300)
  })

  it('have customers of each kind', () => {
    expect(customers.length).to.be.at.least(8)
    expect(customers.filter(({ on_hold }) => on_hold)).to.have.lengthOf(1)
    expect(customers.filter(({ tax_exempt }) => tax_exempt)).to.have.lengthOf(2)
    expect(new Set(customers.map(({ price_list_id }) => price_list_id))).to.deep.equal(
      new Set(['trade', 'fleet-2026', null]),
    )
    for (const { email } of customers) expect(email).to.match(/\.example$/)
  })

  it('have vehicles of both markets, and parts that fit each', () => {
    expect(vehicles.length).to.be.at.least(300)
    expect(new Set(vehicles.map(({ market }) => market))).to.deep.equal(new Set(['JM', 'US']))
    expect([
      Math.min(...vehicles.map(({ year }) => year)),
      Math.max(...vehicles.map(({ year }) => year)),
    ]).to.deep.equal([1998, 2025])
    const rows = products.flatMap(({ fitments }) => fitments)
    expect(new Set(rows.flatMap(({ vehicle_ids }) => vehicle_ids)).size).to.be.greaterThan(vehicles.length * 0.9)
    for (const seen of [rows.some(({ notes }) => notes), rows.some(({ qualifiers }) => qualifiers.length > 0)])
      expect(seen).to.equal(true)
    expect(countOf(({ universal }) => universal)).to.be.greaterThan(100)
    for (const { sku, fitments } of products) {
      const ids = fitments.flatMap(({ vehicle_ids }) => vehicle_ids)
      expect(new Set(ids).size, sku).to.equal(ids.length)
    }
  })

  it('have references of known SKUs, some of which have a number in common', () => {
    const references = generateReferences()
    expect(generateReferences()).to.deep.equal(references)
    expect(references.length).to.be.within(1_000, 5_000)
    const skus = new Set(products.map(({ sku }) => sku))
    expect(references.filter(({ sku }) => !skus.has(sku))).to.deep.equal([])
    const byNumber = [...Map.groupBy(references, ({ brand, number }) => `${brand} ${number}`).values()]
    expect(byNumber.filter((same) => same.length > 1).length).to.be.above(50)
  })

  it('give a front part no number in common with a rear one', () => {
    const positionOf = new Map(products.map(({ sku, fitments }) => [sku, fitments[0]?.positions.join()]))
    const mixed = Map.groupBy(generateReferences(), ({ brand, number }) => `${brand} ${number}`)
      .values()
      .filter((same) => new Set(same.map(({ sku }) => positionOf.get(sku))).size > 1)
      .map((same) => same.map(({ sku }) => sku).join(', '))
    expect([...mixed]).to.deep.equal([])
  })

  it('have a large and a thumb WebP file for every picture', async () => {
    const folder = new URL('../../fixtures/media/', import.meta.url)
    const named = new Set(
      products.flatMap(({ pictures }) => pictures).flatMap((name) => [`${name}-large.webp`, `${name}-thumb.webp`]),
    )
    expect((await readdir(folder)).sort()).to.deep.equal([...named].sort())
    let size = 0
    for (const file of named) {
      const bytes = await readFile(new URL(file, folder))
      expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12), file).to.equal('RIFFWEBP')
      size += bytes.length
    }
    expect(size).to.be.lessThan(2_500_000)
    expect(countOf(({ pictures }) => pictures.length === 0)).to.be.greaterThan(50)
    expect(countOf(({ pictures }) => pictures.length === 2)).to.be.greaterThan(200)
  })
})
