import { expect } from 'chai'
import { createProductChangeReader } from '../../../adapters/tryton/catalog/product-changes.ts'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { createCall } from '../../support/create-call.ts'

const on = (day: number) => ({ year: 2026, month: 3, day, hour: 10, minute: 0, second: 0, microsecond: 0 })

const ms = (day: number) => Date.UTC(2026, 2, day, 10)

describe('tryton: pictures among the changes', () => {
  const dates = { write_date: null, create_date: on(1) }
  const product = (id: number, code: string) => ({ id, code, active: true, ...dates, 'template.': { id, ...dates } })

  it('include their products, for attachments of any record, with the latest time', async () => {
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

  it('are read page by page, with their products', async () => {
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
