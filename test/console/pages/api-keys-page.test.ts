import { expect } from 'chai'
import { describeConsoleBesideApi } from '../../support/describe-console-beside-api.ts'
import { until } from '../../support/until.ts'

const HOSTILE = '"><script>alert(1)</script>'

describeConsoleBesideApi('the page of API keys', (site) => {
  it('shows the usage of keys, but never a key', async () => {
    const { key, record } = await site.api.issueKey({ label: HOSTILE, rate: 1 })
    await site.api.request('/v1/ping', { key })
    expect((await site.api.request('/v1/ping', { key })).status).to.equal(429)
    const { status, text } = await site.support.get('/keys')
    expect(status).to.equal(200)
    expect(text).to.include(record.key_id).and.include('&lt;script&gt;alert(1)')
    expect(text).to.not.include(key).and.not.include('<script>alert').and.not.include('/revoke"')
    const { digest } = await site.api.db
      .selectFrom('api_keys')
      .selectAll()
      .where('key_id', '=', record.key_id)
      .executeTakeFirstOrThrow()
    expect(text).to.not.include(digest)
  })

  it('counts the requests of a week, and those that were refused or rate limited', async () => {
    const { record } = await site.api.issueKey({ rate: 77, ratePerClient: 7 })
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const used = { key_id: record.key_id, requests: 20, refused: 3, limited: 2 }
    const last = { last_refusal_code: 'insufficient_scope', last_refused_at: day(1) }
    const none = { last_refusal_code: null, last_refused_at: null }
    await site.api.db
      .insertInto('key_days')
      .values([
        { ...used, ...none, day: day(0).slice(0, 10) },
        { ...used, ...last, day: day(1).slice(0, 10) },
        { ...used, ...none, day: day(8).slice(0, 10) },
      ])
      .execute()
    const { text } = await site.support.get('/keys')
    const row = text.slice(text.indexOf(`id="${record.key_id}"`)).split('</tr>', 1)[0]!
    const cells = [...row.matchAll(/<td data-head="([^"]+)"[^>]*>(.*?)<\/td>/g)].map(([, head, cell]) => [
      head,
      cell!.replace(/<[^>]+>/g, ''),
    ])
    expect(Object.fromEntries(cells)).to.include({
      'Last used': `${day(0).slice(0, 10)} (UTC)`,
      Requests: '40',
      State: 'Active',
      'Key refused': '6 last refusal: Insufficient scope insufficient_scope',
      'Key rate limited': '4 limit 77/min, 7/min per client',
    })
  })

  it('shows the later of two recorded times as the last use of a key', async () => {
    const { record } = await site.api.issueKey()
    const { key_id } = record
    const used = async () => {
      const { text } = await site.support.get('/keys')
      const row = text.slice(text.indexOf(`id="${key_id}"`)).split('</tr>', 1)[0]!
      return /data-head="Last used">(?:<time datetime="([^"]+)".*?<\/time>|never)<\/td>/.exec(row)![1]
    }
    expect(await used()).to.equal(undefined)
    const [now, refused] = [Date.now(), Date.now() - 60_000].map((ms) => new Date(ms).toISOString()) as [string, string]
    const counts = { requests: 3, refused: 1, limited: 0, last_refusal_code: 'insufficient_scope' }
    const row = { key_id, day: refused.slice(0, 10), ...counts, last_refused_at: refused }
    await site.api.db.insertInto('key_days').values(row).execute()
    expect(await used()).to.equal(refused)
    await site.api.db.updateTable('api_keys').set({ last_used_at: now }).where('key_id', '=', key_id).execute()
    expect(await used()).to.equal(now)
  })

  it('lets an operator revoke a key', async () => {
    const { key, record } = await site.api.issueKey({ label: 'lost' })
    expect((await site.api.request('/v1/ping', { key })).status).to.equal(200)
    expect((await site.support.submit(`/keys/${record.key_id}/revoke`)).status).to.equal(403)
    expect((await site.operator.get('/keys')).text).to.include(`action="/keys/${record.key_id}/revoke"`)
    expect((await site.operator.submit(`/keys/${record.key_id}/revoke`)).status).to.equal(303)
    await until('it is refused', async () => (await site.api.request('/v1/ping', { key })).status === 401)
    expect((await site.support.get('/keys')).text).to.not.include(record.key_id)
    expect((await site.support.get('/keys?ended=shown')).text).to.match(new RegExp(`${record.key_id}[^]*?Revoked`))
    expect((await site.listActions()).slice(0, 2)).to.deep.equal([
      ['ada', 'key.revoke', 'done'],
      ['eve', 'key.revoke', 'refused'],
    ])
  })

  it('shows the keys of one merchant', async () => {
    const mine = await site.api.issueKey({ merchant: 'zenith' })
    const other = await site.api.issueKey({ merchant: 'acme' })
    const { text } = await site.support.get('/keys?merchant=zenith')
    expect(text).to.include(mine.record.key_id).and.not.include(other.record.key_id)
    expect((await site.support.get('/keys?merchant=%00')).status).to.equal(404)
  })
})
