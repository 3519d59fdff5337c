import { Agent } from 'node:http'
import { expect } from 'chai'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { startServerProcess } from './server-process.ts'

const OWNER = '127.0.0.1'
const STRANGER = '127.0.0.2'

describe('a stranger who sends wrong passwords and asks for emails', () => {
  it('locks nobody out but themselves, also over a restart of the server', async () => {
    await using server = await startServerProcess({ merchant: { registration: 'immediate' } })
    const key = await server.issueKey()
    const headers = { authorization: `Bearer ${key}` }
    const post = (from: string, path: string, body: object) =>
      sendHttpRequest(server.address, `/v1/shoppers${path}`, { headers, body }, new Agent({ localAddress: from }))
    const [email, password] = ['owner@victim.example', 'correct horse battery']
    const registration = { email, password, first_name: 'Ann', last_name: 'Other' }
    expect((await post(OWNER, '', registration)).status).to.equal(201)
    const statuses = []
    for (let i = 0; i < 22; i++)
      statuses.push((await post(STRANGER, '/login', { email, password: `wrong ${i}` })).status)
    expect(statuses).to.deep.equal([...Array.from({ length: 20 }, () => 401), 429, 429])
    for (let i = 0; i < 7; i++) await post(STRANGER, '/password-reset', { email })
    expect((await post(STRANGER, '/password-reset', { email })).status).to.equal(429)

    const session = await post(OWNER, '/login', { email, password })
    expect(session.status).to.equal(200)
    expect((await post(OWNER, '/password-reset', { email })).status).to.equal(202)
    await server.kill()
    await server.restart()
    expect((await post(STRANGER, '/login', { email, password })).status).to.equal(429)
    const { device_token } = session.body
    expect((await post(STRANGER, '/login', { email, password, device_token })).status).to.equal(200)
  })
})
