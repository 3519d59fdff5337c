import { expect } from 'chai'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import { describeOutages } from './describe-outages.ts'
import { expectAll } from './expect-on-page.ts'
import { ACME_CONTACT, FORECOURT_CONTACT } from './outage-merchants.ts'
import { around, MINUTE_MS, toClock } from './outage-times.ts'
import { recordRevokedKey } from './record-revoked-key.ts'
import { systemOutages } from './system-outage-cases.ts'

describeOutages('a key that was revoked by mistake, from a clock time alone', (outages) => {
  it('says which key was revoked by mistake, by whom, and that it is still used', async () => {
    const { clock, readText, readIncident } = outages()
    const at = clock.ms
    const key = await recordRevokedKey(outages(), 2)
    const { list, page } = await readIncident(at)
    expect(list).to.include('Refused key till 4').and.include('Invalid API key')
    expect(list).to.not.include('of no known merchant (live) refused')
    expectAll(list, ['Still refused'])
    expectAll(page, [
      `till 4 (${key.hint}): revoked by anna at ${toClock(at)}, refused 2 times`,
      'The recorded requests with this key: 2 × GET /v1/products/BP-1.',
      `Still refused, first at ${toClock(at)}, last sent at ${toClock(at + 20_000)}.`,
      '2 requests refused with an error Requests with this key are refused',
      'Whoever runs Forecourt knows who anna is: the name is an operator’s (forecourt operators list).',
      'What shoppers see 2 requests refused',
      'What to do: Ask anna whether the key was revoked by mistake. If the shop still needs a key, whoever runs Forecourt issues another one (forecourt keys issue), and Acme Parts puts it into the shop.',
      'Refused key till 4 of Acme Parts',
      'Refused requests 2',
    ])
    expect(page).to.include('The API key was revoked or has expired.').and.not.include('mistyped')
    expectAll(page, [
      `Whom to call about Acme Parts: ${ACME_CONTACT}`,
      `Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
    ])
    expectAll(await readText(`/keys/${key.key_id}`), [
      'What to do: if the shop still needs this key, whoever runs Forecourt issues another one',
      `Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
    ])
    const keys = await readText('/keys')
    expect(await readText('/codes/invalid_api_key'))
      .to.include('A revoked or expired key cannot be made valid again.')
      .and.not.include('Copy it again')
    expect(await readText('/codes/invalid_api_key')).to.include('Refused key till 4 (Forecourt)')
    expect(keys.indexOf('till 4')).to.be.above(0).and.below(keys.indexOf('web shop'))
    expectAll(await readText(around('/request?merchant=acme&mode=live&', at)), [`one-${at}`, 'Invalid API key'])
    expectAll(await readText(around('/request?merchant=no+valid+key&mode=live&', at)), [
      'requests of no known merchant (live), from',
      'Requests with a revoked or expired key are listed with the merchant that it belongs to.',
      'No such request was recorded.',
    ])
    expectAll(await readText(`/request?id=one-${at}`), [
      'Acme Parts live',
      'The API key was revoked or has expired.',
      `Whom to call about Acme Parts: ${ACME_CONTACT} Whom to call about Forecourt: ${FORECOURT_CONTACT}`,
    ])
    expectAll(await readText('/audit?action=key.revoke'), [`key till 4 (${key.key_id})`])
    const now = await readText('/')
    expect(now).to.match(/Shops without requests with a valid key in the last minute: \d/)
    expect(now).to.match(/No requests with a valid key in the last minute, but 1 revoked or expired key is still used/)
    expect(page).to.include('No key of Acme Parts (live) has been issued since then.')
    const replacement = { merchant: 'acme', mode: 'live', kind: 'secret', label: 'till 4 again' } as const
    const { record: other } = await issueApiKey(outages().db, replacement, new Date(clock.ms))
    const issued = `A newer key, till 4 again (${other.hint}), was issued at ${toClock(clock.ms)}`
    expect((await readIncident(at)).page).to.include(
      `${issued} and has not been used yet. Ask whether it replaces this key.`,
    )
    clock.ms += 6 * MINUTE_MS
    await outages().diagnostics.flush()
    const later = await readIncident(at)
    for (const text of [later.list, later.page]) expect(text).to.match(/Refused key till 4 .*No longer used/)
    expect(later.page).to.not.match(/\bEnded\b/)
    expectAll(later.page, [
      `Refused, first at ${toClock(at)}, last sent at ${toClock(at + 20_000)}. Five minutes after the last of these requests, the key counts as no longer used. It is refused whenever it is sent again. No longer used: the key stays revoked or expired, and whoever used it may still lack a key.`,
    ])
  })

  it('is on Now before an incident that has ended', async () => {
    const { clock, recordOutage, recover, readText } = outages()
    await recordOutage(systemOutages[0]!)
    await recover(systemOutages[0]!)
    clock.ms += 30 * MINUTE_MS
    await recordRevokedKey(outages(), 2)
    const now = await readText('/')
    expect(now.indexOf('Latest ended incident:')).to.be.above(now.indexOf('Orders, webhooks and imports'))
  })
})
