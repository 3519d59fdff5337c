import { expect } from 'chai'
import type { Api } from '../../support/api.ts'
import { stores } from '../../support/stores.ts'
import { type ConsoleBesideApi, type SignedInBrowser, startConsoleBesideApi } from '../console-beside-api.ts'

for (const store of stores()) {
  describe(`the pages of the audit log: ${store.name}`, () => {
    let site: ConsoleBesideApi
    let api: Api
    let operator: SignedInBrowser
    let support: SignedInBrowser

    before(async () => {
      await store.open()
      site = await startConsoleBesideApi(store.url())
      ;({ api, operator, support } = site)
    })
    after(async () => {
      await site[Symbol.asyncDispose]()
      await store.close()
    })

    it('shows the actions of operators in pages, the newest first', async () => {
      const { record } = await api.issueKey()
      await operator.submit(`/keys/${record.key_id}/revoke`)
      const { text } = await support.get('/audit?operator=ada')
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
      await api.db.insertInto('audit_log').values(many).execute()
      const entryIds: string[] = []
      let path: string | undefined = '/audit?operator=bob'
      while (path) {
        const page: string = (await support.get(path)).text
        entryIds.push(...[...page.matchAll(/id="(aud_bob\d+)"/g)].map(([, id]) => id!))
        path = /href="(\/audit\?[^"]*before=[^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
      }
      expect(entryIds).to.deep.equal(many.map(({ entry_id }) => entry_id).toReversed())
    })

    it('filters by who, what and when, and exports what it shows', async () => {
      const { record } = await api.issueKey({ mode: 'live' })
      await operator.submit(`/keys/${record.key_id}/revoke`)
      const { body } = await support.get('/audit/export.json?operator=ada&action=key.revoke&from=2020-01-01T00:00')
      expect(body[0]).to.include({ operator: 'ada', action: 'key.revoke', outcome: 'done' })
      expect(body[0].target).to.deep.equal({ key: record.key_id })
      expect((await support.get('/audit/export.json?action=key.revoke&to=2020-01-01T00:00')).body).to.deep.equal([])
      const signIns = await support.get('/audit/export.json?action=sign-in')
      expect(new Set(signIns.body.map(({ action }: { action: string }) => action))).to.deep.equal(new Set(['sign-in']))
      const { text, headers } = await support.get('/audit/export.csv?action=key.revoke')
      expect(text)
        .to.match(/^at,operator,role,action,target,outcome,address,entry_id\r\n/)
        .and.include('""key""')
      expect(headers['content-disposition']).to.equal('attachment; filename="audit.csv"')
    })

    it('names keys by their labels, but not those of merchants that other Forecourts on the store serve', async () => {
      const own = await api.issueKey({ mode: 'live', label: 'Till of ours' })
      const foreign = await api.issueKey({ merchant: 'stranger', mode: 'live', label: 'Till of a stranger' })
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
      await api.db.insertInto('audit_log').values(entries).execute()
      const { text } = await support.get('/audit?operator=cleo')
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
        expect((await support.get(`/audit?${query}`)).status, query).to.equal(200)
    })
  })
}
