import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { toRefusedKeyView } from '../../../../src/console/pages/incidents/refused-key-view.ts'
import type { RefusedKeyStatus } from '../../../../src/diagnostics/status/read-refused-keys.ts'

const NOW = Date.parse('2026-11-21T19:30:00.000Z')
const merchants = createMerchantDirectory([], () => NOW)
const key = { key_id: 'key_1', tenant_id: 'acme', mode: 'live', label: null, hint: 'svc…' } as RefusedKeyStatus['key']

const adviseOn = (revokedBy: string | null) => {
  const times = { endedAt: NOW, lastAt: NOW, refused: 1, incidentId: 'inc_1', issuedSince: [] }
  return toRefusedKeyView({ key, reason: 'revoked', revokedBy, ...times }, merchants).toDo
}

describe('what to do about a revoked key', () => {
  it('is to ask the operator who revoked it, and says who knows the operator', () => {
    expect(adviseOn('anna'))
      .to.match(/^Ask anna whether the key was revoked by mistake\./)
      .and.match(
        /Whoever runs Forecourt knows who anna is: the name is an operator’s \(forecourt operators list\)\. No key of acme \(live\) has been issued since then\.$/,
      )
  })

  it('is to ask whoever runs Forecourt if a command revoked it, or if nobody is known', () => {
    for (const by of ['command line', null])
      expect(adviseOn(by)).to.match(
        /^Ask whoever runs Forecourt whether .* cannot be made valid again\. No key of acme \(live\) has been issued since then\.$/,
      )
  })
})
