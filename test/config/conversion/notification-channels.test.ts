import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { ConfigError } from '../../../src/config/config-error.ts'
import type { NotificationChannel } from '../../../src/config/notification-channel.ts'
import { parseConfig } from '../../../src/config/parse-config-file.ts'

const merchants =
  'merchants: { acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, live: { inventory: { adapter: rest, address: "http://127.0.0.1:1", token: t, contact: { name: Lee, phone: "+1 876 555-0100" } } } } }'
const parse = (notifications: string, mail = 'mail: { url: "smtp://mail.example", from: "Acme <a@acme.example>" }') =>
  parseConfig(`${mail}\n${notifications}\n${merchants}\n`, 'forecourt.yaml', adapters, {})
function mistakesOf(notifications: string, mail?: string): string {
  try {
    parse(notifications, mail)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
const secret = `whsec_${Buffer.alloc(24).toString('base64')}`

describe('the notifications of the configuration', () => {
  it('are channels with the same id in each process', () => {
    const text = `notifications: [{ mail: ops@acme.example, merchants: [acme], after_seconds: 5, quiet_hours: { from: "22:00", to: "07:00", time_zone: America/Jamaica } }, { webhook: { url: "https://chat.example/h", secret: "${secret}" }, systems: [store] }]`
    const { notifications, merchants: all } = parse(text)
    const [{ id, ...mail }, { id: other, ...webhook }] = notifications as [NotificationChannel, NotificationChannel]
    expect([id, other]).to.match(/^[0-9a-f]{16},[0-9a-f]{16}$/)
    expect(parse(text).notifications![0]!.id).to.equal(id)
    expect(mail).to.deep.equal({
      target: { kind: 'mail', to: 'ops@acme.example' },
      merchants: ['acme'],
      systems: null,
      afterMs: 5_000,
      quietHours: { from: '22:00', to: '07:00', timeZone: 'America/Jamaica' },
    })
    expect(webhook).to.deep.equal({
      target: { kind: 'webhook', url: 'https://chat.example/h', secret },
      merchants: null,
      systems: ['store'],
      afterMs: 60_000,
      quietHours: null,
    })
    expect(all[0]!.live.inventory).to.deep.include({ contact: { name: 'Lee', phone: '+1 876 555-0100' } })
    expect(all[0]!.live.inventory!.settings).to.deep.equal({ token: 't' })
  })

  it('have clear mistakes', () => {
    expect(mistakesOf('notifications: [{ systems: [store] }]')).to.include('notifications.0: needs one target')
    expect(mistakesOf('notifications: [{ mail: a@b.example, merchants: [nobody] }]')).to.include(
      'notifications.0.merchants.0: there is no merchant "nobody"',
    )
    expect(mistakesOf('notifications: [{ mail: a@b.example }]', '')).to.include('there is no mail server')
    expect(mistakesOf('notifications: [{ webhook: { url: "https://chat.example", secret: abc } }]')).to.include(
      'is not a Standard Webhooks secret',
    )
    expect(
      mistakesOf('notifications: [{ mail: a@b.example, quiet_hours: { from: "9", to: "07:00", time_zone: Mars } }]'),
    )
      .to.include('is not a time of day')
      .and.include('"Mars" is not a time zone')
  })
})
