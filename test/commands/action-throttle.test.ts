import { expect } from 'chai'
import { createActionThrottle } from '../../src/commands/action-throttle.ts'
import { sha256Hex } from '../../src/storage/keys/api-key-format.ts'

const realm = { tenant_id: 'acme', mode: 'live' } as const
const victim = 'victim@shop.example'

/** An address of the attacker's own whose plain digest begins as the victim's does. */
function lookAlike(): string {
  const start = (who: string) => sha256Hex(`acme\nlive\n${who}`).slice(0, 5)
  const wanted = start(victim)
  for (let n = 0; ; n++) if (start(`me+${n}@attacker.example`) === wanted) return `me+${n}@attacker.example`
}

describe('a throttle', () => {
  it('is not forgotten by signing in with an address that was chosen to share its counter', async () => {
    const throttle = createActionThrottle()
    const mine = lookAlike()
    for (let i = 0; i < 20; i++) await throttle.take('logins', realm, victim)
    await throttle.forget('logins', realm, mine)
    const refused = await throttle.take('logins', realm, victim).catch((error) => error)
    expect(refused).to.include({ code: 'rate_limited' })
  })

  it('does not count by client address where none is known', async () => {
    const throttle = createActionThrottle()
    for (let i = 0; i < 200; i++) await throttle.take('loginsFrom', realm, null)
    await throttle.giveBack('loginsFrom', realm, null)
  })
})
