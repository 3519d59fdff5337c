import { mock } from 'node:test'
import { expect } from 'chai'
import { Type } from 'typebox'
import { SHARED_LOAD_TIMEOUT_MS } from '../../../adapters/shared-load.ts'
import { createRpc } from '../../../adapters/tryton/client/rpc.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { startRecordedUpstream } from '../../support/recorded-upstream.ts'
import { recordedLogin } from '../../support/tryton/connect-tryton.ts'

const Count = responseSchema(Type.Integer())
type Answered = { status: number; answer: unknown }
const session = { status: 200, answer: { id: 1, result: [7, 'a'.repeat(64)] } }
const methodOf = (asked: unknown) => (asked as { method: string }).method

describe('tryton: the RPC client', () => {
  const open: (() => unknown)[] = []
  let clock = 0

  beforeEach(() => {
    clock = 0
  })

  afterEach(async () => {
    for (const close of open.splice(0)) await close()
  })

  /** A server that responds to logins from `logins` and to other calls from `answers`, repeating the last of each. */
  async function serving(answers: Answered[], logins: Answered[] = [session]) {
    const next = <T>(from: T[]) => (from.length > 1 ? from.shift()! : from[0]!)
    const system = await startRecordedUpstream((asked) =>
      next(methodOf(asked) === 'common.db.login' ? logins : answers),
    )
    const client = createHttpClient({ address: system.address, maxSockets: 4, maxResponseBytes: 1_000_000 })
    const close = () => client[Symbol.asyncDispose]()
    open.push(close, system.end)
    const rpc = createRpc(recordedLogin, client, () => clock)
    return {
      system,
      rpc,
      close,
      count: () => rpc(Count, 'party.party.search_count', [[['nope', '=', 3]]], createCall()),
    }
  }

  it('logs in once for parallel callers, and sends the company with each call', async () => {
    const { system, count } = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    expect(await Promise.all([count(), count(), count()])).to.deep.equal([3, 3, 3])
    expect(system.asked.map(methodOf).filter((method) => method === 'common.db.login')).to.have.length(1)
    expect(system.asked.at(-1)).to.deep.equal({
      id: 1,
      method: 'model.party.party.search_count',
      params: [[['nope', '=', 3]], { company: 1, language: 'en' }],
    })
  })

  it('removes NUL and lone surrogates, which no database stores', async () => {
    const { system, rpc } = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    const values = { comment: 'a\u0000b', reference: 'c\ud83dd 🚗', lines: [['create', ['\u0000']]] }
    await rpc(Count, 'sale.sale.write', [[1], values], createCall())
    expect((system.asked.at(-1) as { params: unknown[] }).params.slice(0, 2)).to.deep.equal([
      [1],
      { comment: 'ab', reference: 'c\ufffdd 🚗', lines: [['create', ['']]] },
    ])
  })

  it('cuts a list to what was requested before it validates the rows', async () => {
    const result = [{ id: 1 }, { id: 2 }, ...Array.from({ length: 500 }, () => 'no row')]
    const { rpc } = await serving([{ status: 200, answer: { id: 1, result } }])
    const Rows = responseSchema(Type.Array(Type.Object({ id: Type.Integer() })))
    const reads: [method: string, params: unknown[]][] = [
      ['party.party.search_read', [[], 0, 2, null, ['id']]],
      ['party.party.read', [[1, 2], ['id']]],
    ]
    for (const [method, params] of reads) expect(await rpc(Rows, method, params, createCall())).to.have.length(2)
    const unlimited = rpc(Rows, 'party.party.search_read', [[], 0, null, null, ['id']], createCall())
    expect((await failureOf(unlimited)).failure).to.equal('invalid')
  })

  it('takes 404 for a response of another server: Tryton has its own way to say that a record is absent', async () => {
    const { count, system } = await serving([{ status: 404, answer: 'nginx' }])
    expect((await failureOf(count())).failure).to.equal('invalid')
    const before = system.asked.length
    const { count: login, system: other } = await serving(
      [{ status: 200, answer: { id: 1, result: 3 } }],
      [{ status: 404, answer: 'nginx' }, session],
    )
    expect((await failureOf(login())).failure).to.equal('invalid')
    expect(await login(), 'it logs in again at once').to.equal(3)
    expect([before, other.asked.length]).to.deep.equal([2, 3])
  })

  it('takes 405 at both paths of Tryton for a response of another server', async () => {
    const { count, system } = await serving([], [{ status: 405, answer: 'nginx' }])
    expect((await failureOf(count())).failure).to.equal('invalid')
    expect(system.paths).to.deep.equal(['/merchant/', '/merchant/rpc/'])
  })

  it('finds the path of Tryton 8, also after an upgrade', async () => {
    const upgraded: Answered = { status: 200, answer: { id: 1, result: [7, 'b'.repeat(64), null] } }
    const { count, system } = await serving(
      [
        { status: 200, answer: { id: 1, result: 3 } },
        { status: 405, answer: '<html>' },
        { status: 200, answer: { id: 1, result: 4 } },
      ],
      [session, { status: 405, answer: '<html>' }, upgraded],
    )
    expect([await count(), await count(), await count()]).to.deep.equal([3, 4, 4])
    const [before, after] = ['/merchant/', '/merchant/rpc/']
    expect(system.paths).to.deep.equal([before, before, before, before, after, after, after])
  })

  it('logs in again, once, when its session has ended', async () => {
    const { system, count } = await serving([
      { status: 401, answer: '' },
      { status: 200, answer: { id: 1, result: 3 } },
    ])
    expect(await count()).to.equal(3)
    expect(system.asked.map(methodOf)).to.deep.equal([
      'common.db.login',
      'model.party.party.search_count',
      'common.db.login',
      'model.party.party.search_count',
    ])
  })

  it('gives a log-in as much time as a shared load, and lets callers retry after a timeout: nothing was written', async () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    open.push(() => mock.timers.reset())
    const limits: number[] = []
    const client: HttpClient = {
      async send(_request, call) {
        limits.push(call.timeoutMs())
        throw new UpstreamError('timeout', 'no response')
      },
      onClose() {},
      json: () => Promise.reject(),
      jsonOrNull: () => Promise.reject(),
      bytes: () => Promise.reject(),
    }
    const rpc = createRpc(recordedLogin, client, () => clock)
    const failure = await failureOf(rpc(Count, 'party.party.search_count', [[]], createCall()))
    expect(failure).to.include({ failure: 'timeout', retryable: true })
    expect(limits).to.deep.equal([SHARED_LOAD_TIMEOUT_MS])
  })

  it('fails when a new session is rejected too', async () => {
    const { system, count } = await serving([{ status: 401, answer: '' }])
    expect((await failureOf(count())).failure).to.equal('unauthorized')
    expect(system.asked).to.have.length(4)
  })

  it('logs out when it is closed', async () => {
    const { system, count, close } = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    await count()
    await close()
    expect(system.asked.at(-1)).to.deep.equal({ id: 1, method: 'common.db.logout', params: [] })
    const [asked, loggedOut] = system.headers.slice(-2).map(({ authorization }) => authorization)
    expect(loggedOut).to.be.a('string').and.equal(asked)
  })

  it('logs out when it is closed during the login', async () => {
    const { system, count, close } = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    const pending = count().catch(() => {})
    await close()
    await pending
    expect(system.asked.map(methodOf)).to.include.members(['common.db.login', 'common.db.logout'])
  })

  it('does not log out without a login, nor twice', async () => {
    const unasked = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    await unasked.close()
    expect(unasked.system.asked).to.deep.equal([])
    const refused = await serving([{ status: 200, answer: { id: 1, result: 3 } }], [{ status: 401, answer: '<html>' }])
    await failureOf(refused.count())
    await refused.close()
    await refused.close()
    expect(refused.system.asked.map(methodOf)).to.deep.equal(['common.db.login'])
  })

  it('closes even when the server does not respond', async () => {
    const { system, count, close } = await serving([{ status: 200, answer: { id: 1, result: 3 } }])
    await count()
    system.answers = false
    await close()
    expect(system.asked.map(methodOf).at(-1)).to.equal('common.db.logout')
  })

  it('does not retry a rejected password immediately', async () => {
    const { system, count } = await serving([{ status: 200, answer: { id: 1, result: 3 } }], [
      { status: 401, answer: '<html>' },
      session,
    ] as never)
    expect((await failureOf(count())).failure).to.equal('unauthorized')
    expect((await failureOf(count())).failure).to.equal('unauthorized')
    expect(system.asked).to.have.length(1)
    clock = 31_000
    expect(await count()).to.equal(3)
    expect(system.asked.map(methodOf)).to.include('model.party.party.search_count')
  })

  const cases: [string, number, unknown, string, boolean][] = [
    [
      'a refusal to a user',
      200,
      ['UserError', ['You are not allowed to access "Party".', '', null]],
      'rejected',
      false,
    ],
    ['a warning to a user', 200, ['UserWarning', ['credit', 'over the limit', '']], 'rejected', false],
    ['a lock', 200, ['could not obtain lock on relation "sale_sale"\n', ''], 'error', true],
    ['a lock behind a long text', 200, [`${'x'.repeat(300)} deadlock detected`, ''], 'error', true],
    ['a busy SQLite', 200, ['database is locked', ''], 'error', true],
    ['a change in between', 200, ['ConcurrencyException', 'Records were modified in the meanwhile'], 'error', true],
    ['an unknown model', 200, ["'party.party'", ''], 'not_configured', false],
    ['an unknown field', 200, ["'nope'", ''], 'not_configured', false],
    ['a name that nobody asked for', 200, ["'stock_lot'", ''], 'error', false],
    ['a key that is no name', 200, ["'3'", ''], 'error', false],
    ['any other exception', 200, ['division by zero', ''], 'error', false],
    ['a closed method', 403, '<html>Forbidden</html>', 'rejected', false],
    ['an unknown database', 404, '<html>Not Found</html>', 'invalid', false],
    ['a page instead of JSON', 200, '<html>Sign in</html>', 'invalid', false],
    ['JSON that is no RPC', 200, '{"hello":1}', 'invalid', false],
    ['a broken server', 500, '<html>Internal Server Error</html>', 'error', false],
    ['a server behind a dead proxy', 502, '<html>Bad Gateway</html>', 'error', true],
  ]
  for (const [name, status, error, failure, retryable] of cases) {
    it(`calls ${name} ${failure}${retryable ? ', retryable' : ''}`, async () => {
      const answer = typeof error === 'string' ? error : { id: 1, error }
      expect(await failureOf((await serving([{ status, answer }])).count())).to.include({ failure, retryable })
    })
  }

  it('rejects a response of another shape', async () => {
    expect(
      (await failureOf((await serving([{ status: 200, answer: { id: 1, result: null } }])).count())).failure,
    ).to.equal('invalid')
  })
})
