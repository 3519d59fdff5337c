import { Agent } from 'node:http'
import { expect } from 'chai'
import { freePort } from '../support/free-port.ts'
import { type HttpRequestOptions, type Reply, sendHttpRequest } from '../support/send-http-request.ts'
import { startServerProcess } from './server-process.ts'

/** More than the queue for password hashes holds. */
const STRANGERS = 80
const PASSWORD = 'correct horse battery'

/** Sends one request after the other from each of many addresses, until it is disposed. */
function flood(send: (agent: Agent, count: number) => Promise<Reply>) {
  const statuses: number[] = []
  let isOver = false
  const strangers = Array.from({ length: STRANGERS }, async (_, i) => {
    const agent = new Agent({ localAddress: `127.1.0.${i + 1}` })
    for (let count = 0; !isOver; count++) statuses.push((await send(agent, i * 1_000 + count)).status)
  })
  return {
    statuses,
    /** Resolves when the queue is full: a stranger was refused. */
    async isEffective() {
      while (!statuses.includes(503)) await new Promise(setImmediate)
    },
    async [Symbol.asyncDispose]() {
      isOver = true
      await Promise.all(strangers)
    },
  }
}

describe('a flood of sign-ins', () => {
  it('with one key keeps neither another tenant, nor operators, nor a known device from signing in', async () => {
    const port = await freePort()
    await using server = await startServerProcess({ operations: { host: '127.0.0.1', port } })
    const ada = { name: 'ada', password: await addOperator(server) }
    const [sandboxKey, liveKey] = [
      await server.issueKey('--kind', 'publishable', '--mode', 'sandbox', '--rate', '1000000'),
      await server.issueKey('--kind', 'publishable', '--mode', 'live'),
    ]
    const post = (key: string, path: string, body: object, agent?: Agent) => {
      const headers = { authorization: `Bearer ${key}` }
      return sendHttpRequest(
        server.address,
        `/v1/shoppers${path}`,
        { headers, body: { password: PASSWORD, ...body } },
        agent,
      )
    }
    const logIn = (key: string, email: string, agent?: Agent) => post(key, '/login', { email }, agent)
    const owner = { email: 'owner@shop.example', first_name: 'Ann', last_name: 'Other' }
    const { device_token } = (await post(sandboxKey, '', owner)).body
    await using strangers = flood((agent, count) => logIn(sandboxKey, `invented${count}@stranger.example`, agent))
    await strangers.isEffective()
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await logIn(liveKey, `somebody${i}@shop.example`)).status)
    expect(statuses).to.deep.equal([401, 401, 401, 401, 401])
    for (let i = 0; i < 3; i++)
      expect((await post(sandboxKey, '/login', { email: owner.email, device_token })).status).to.equal(200)
    expect((await signIn(`http://127.0.0.1:${port}`, ada)).status).to.equal(303)
  })

  it('with invented names does not keep an operator from signing in at a known browser', async () => {
    const port = await freePort()
    const console = `http://127.0.0.1:${port}`
    await using server = await startServerProcess({ operations: { host: '127.0.0.1', port } })
    const ada = { name: 'ada', password: await addOperator(server) }
    const first = await signIn(console, ada)
    expect(first.status).to.equal(303)
    const cookie = first.headers['set-cookie']!.map((text) => text.split(';')[0]).join('; ')
    await using strangers = flood((agent, count) => signIn(console, { ...ada, name: `invented${count}` }, {}, agent))
    await strangers.isEffective()
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await signIn(console, ada, { cookie })).status)
    expect(statuses).to.deep.equal([303, 303, 303, 303, 303])
  })
})

/** Sends the sign-in form of the pages. */
function signIn(
  console: string,
  form: Record<string, string>,
  headers: HttpRequestOptions['headers'] = {},
  agent?: Agent,
) {
  const body = new URLSearchParams(form).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return sendHttpRequest(console, '/sign-in', { headers: { ...type, ...headers }, body }, agent)
}

/** Adds the operator `ada` and returns the password. */
async function addOperator(server: Awaited<ReturnType<typeof startServerProcess>>): Promise<string> {
  const options = ['--role', 'support', '--generate', '--json', '--config', server.configFile]
  const { code, stdout, stderr } = await server.cli('operators', 'add', 'ada', ...options)
  expect([code, stderr]).to.deep.equal([0, ''])
  return JSON.parse(stdout).password
}
