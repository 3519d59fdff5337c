import { expect } from 'chai'
import { until } from '../support/until.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Taxes and categories are read every four seconds. */
const MAX_AGE_SECONDS = 10
const DEAD = { refuse: true } as const

/** One path of each kind of catalog read. */
const READS = [
  '/v1/products?limit=50',
  '/v1/products?q=brake+pads',
  '/v1/products?facets=brand,category,tag,availability,price&sort=price&limit=5',
  '/v1/products/BP-1001',
  '/v1/products/BP-1001/availability',
  '/v1/products/BP-1001/fitments',
  '/v1/categories',
  '/v1/tags',
  '/v1/vehicles/years',
  '/v1/suggest?q=bra',
  '/v1/lookup?number=BP1001',
]

interface Answer {
  path: string
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  body: any
}

describe('a catalog whose ERP is gone', () => {
  let server: ServerProcess
  let headers: Record<string, string>

  before(async () => {
    server = await startServerProcess({
      config: { feed: { interval_seconds: 1 } },
      merchant: { mirror: { max_age_seconds: MAX_AGE_SECONDS } },
    })
    const key = await server.issueKey('--kind', 'secret', '--mode', 'sandbox', '--rate', '1000000')
    headers = { authorization: `Bearer ${key}` }
  })
  after(() => server?.[Symbol.asyncDispose]())

  async function read(path: string): Promise<Answer> {
    const reply = await fetch(server.address + path, { headers })
    return { path, status: reply.status, body: await reply.json() }
  }
  const readAll = () => Promise.all(READS.map(read))
  const withErrors = (answers: readonly Answer[]) =>
    answers.filter(({ body }) => body.errors?.length > 0).map(({ path, body }) => [path, body.errors])
  const isMirrored = async () => (await read('/v1/products?facets=brand&limit=1')).status === 200
  async function isFilled(): Promise<boolean> {
    const { stdout } = await server.cli('mirror', 'status', 'acme', '--mode', 'sandbox', '--config', server.configFile)
    return stdout.includes('vehicles') && !stdout.includes('not filled')
  }

  it('is served from the mirror without an error while the copy is young enough, and marked when it is older', async () => {
    await until('the mirror is filled', isFilled)
    await until('every part of it is current', async () => withErrors(await readAll()).length === 0)
    const healthy = new Map((await readAll()).map((answer) => [answer.path, answer]))
    for (const system of Object.values(server.systems)) await system.setFault(DEAD)
    const diedAt = Date.now()

    const isMarked = ({ body }: Answer) => body.errors?.some((error: { stale?: boolean }) => error.stale)
    const seen: Answer[] = []
    await until('all reads are marked', async () => {
      const answers = await readAll()
      seen.push(...answers)
      return answers.every(isMarked)
    })
    for (let round = 0; round < 20; round++) seen.push(...(await readAll()))
    expect(seen.filter(({ status }) => status !== 200).map(({ path, status }) => `${path} ${status}`)).to.deep.equal([])
    for (const { path, body } of seen) {
      const { data } = healthy.get(path)!.body
      if (Array.isArray(data) && Array.isArray(body.data)) expect(body.data, path).to.have.length(data.length)
      for (const { stale, as_of } of body.errors ?? [])
        if (stale) expect(Date.parse(as_of), `${path} ${as_of}`).to.be.lessThan(diedAt + 1_000)
    }
    const marked = await read('/v1/products/BP-1001')
    expect(marked.body.price.amount).to.equal(healthy.get('/v1/products/BP-1001')!.body.price.amount)
    expect(marked.body.errors.map(({ field }: { field: string }) => field)).to.include.members(['product', 'price'])
  })

  it('finds nothing that does not exist, and prices no cart', async () => {
    expect((await read('/v1/products/NO-SUCH-SKU')).status).to.equal(404)
    expect((await read('/v1/products?q=xyzzyplugh')).body.data).to.deep.equal([])
  })

  it('survives a kill of its own process meanwhile', async () => {
    await server.kill('SIGKILL')
    await server.restart()
    await until('searches run again', isMirrored)
    const answers = await readAll()
    expect(answers.filter(({ status }) => status !== 200)).to.deep.equal([])
  })

  it('is current again when the ERP is back', async () => {
    for (const system of Object.values(server.systems)) await system.setFault({})
    await until('no read is marked', async () => withErrors(await readAll()).length === 0)
  })
})
