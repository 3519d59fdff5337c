import { expect } from 'chai'
import { describeConsoleBesideApi } from '../../support/describe-console-beside-api.ts'

describeConsoleBesideApi('the pages of the audit log', (site) => {
  it('shows the actions of operators in pages, the newest first', async () => {
    const { record } = await site.api.issueKey()
    await site.operator.submit(`/keys/${record.key_id}/revoke`)
    const { text } = await site.support.get('/audit?operator=ada')
    expect(text)
      .to.match(new RegExp(`key\\.revoke[^]*?${record.key_id}[^]*?Done`))
      .and.not.include('<span>eve')
    const row = {
      operator: 'bob',
      role: 'operator',
      action: 'test',
      target: '{"of":"<b>"}',
      outcome: 'done',
      address: null,
    } as const
    const many = Array.from({ length: 250 }, (_, n) => {
      const at = new Date(Date.parse('2026-01-01T00:00:00.000Z') + Math.floor(n / 3)).toISOString()
      return { ...row, at, entry_id: `aud_bob${String(n).padStart(3, '0')}` }
    })
    await site.api.db.insertInto('audit_log').values(many).execute()
    const entryIds: string[] = []
    let path: string | undefined = '/audit?operator=bob'
    while (path) {
      const page: string = (await site.support.get(path)).text
      entryIds.push(...[...page.matchAll(/id="(aud_bob\d+)"/g)].map(([, id]) => id!))
      path = /href="(\/audit\?[^"]*before=[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(entryIds).to.deep.equal(many.map(({ entry_id }) => entry_id).toReversed())
  })

  it('filters by who, what and when, and exports what it shows', async () => {
    const { record } = await site.api.issueKey({ mode: 'live' })
    await site.operator.submit(`/keys/${record.key_id}/revoke`)
    const { body } = await site.support.get('/audit/export.json?operator=ada&action=key.revoke&from=2020-01-01T00:00')
    expect(body[0]).to.include({ operator: 'ada', action: 'key.revoke', outcome: 'done' })
    expect(body[0].target).to.deep.equal({ key: record.key_id })
    expect((await site.support.get('/audit/export.json?action=key.revoke&to=2020-01-01T00:00')).body).to.deep.equal([])
    const signIns = await site.support.get('/audit/export.json?action=sign-in')
    expect(new Set(signIns.body.map(({ action }: { action: string }) => action))).to.deep.equal(new Set(['sign-in']))
    const { text, headers } = await site.support.get('/audit/export.csv?action=key.revoke')
    expect(text)
      .to.match(/^at,operator,role,action,target,outcome,address,entry_id\r\n/)
      .and.include('""key""')
    expect(headers['content-disposition']).to.equal('attachment; filename="audit.csv"')
  })

  it('names keys by their labels, but not those of merchants that other Forecourts on the store serve', async () => {
    const own = await site.api.issueKey({ mode: 'live', label: 'Till of ours' })
    const foreign = await site.api.issueKey({ merchant: 'stranger', mode: 'live', label: 'Till of a stranger' })
    const entry = {
      operator: 'cleo',
      role: 'operator',
      action: 'key.revoke',
      outcome: 'done',
      address: null,
    } as const
    const entries = [own, foreign].map(({ record }, n) => ({
      ...{ ...entry, at: `2026-01-02T00:00:00.00${n}Z`, entry_id: `aud_cleo${n}` },
      target: JSON.stringify({ key: record.key_id }),
    }))
    await site.api.db.insertInto('audit_log').values(entries).execute()
    const { text } = await site.support.get('/audit?operator=cleo')
    expect(text)
      .to.include(`Till of ours (${own.record.key_id})`)
      .and.include(`href="/keys/${own.record.key_id}"`)
      .and.include(foreign.record.key_id)
    expect(text).to.not.include('Till of a stranger').and.not.include(`href="/keys/${foreign.record.key_id}"`)
  })

  it('ignores malformed query parameters', async () => {
    for (const query of [
      'before=x',
      'before=%00',
      'operator=%00',
      "operator='--",
      'before=2026-01-01T00:00:00.000Z~aud_',
    ])
      expect((await site.support.get(`/audit?${query}`)).status, query).to.equal(200)
  })
})
