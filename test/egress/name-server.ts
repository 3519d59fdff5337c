import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import dns, { type Answer } from 'dns-packet'

export interface NameServer extends AsyncDisposable {
  /** For Resolver.setServers. */
  server: string
  /** `A name`, in the order of asking. */
  questions: string[]
}

/** A record as it is written in a zone: type and value. */
export type DnsRecord = ['A' | 'AAAA' | 'CNAME', string]
/** What a name has; by the number of the asking, where it changes. `null`: no answer at all, ever. */
export type DnsZone = { [name: string]: DnsRecord[] | ((asked: number) => DnsRecord[]) | null }

/** A name server on loopback, over UDP. A name that is not in the zone does not exist. */
export async function startNameServer(zone: DnsZone): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions: asked = [] } = dns.decode(message)
    const { name, type } = asked[0]!
    const before = questions.filter((question) => question === `${type} ${name}`).length
    questions.push(`${type} ${name}`)
    const records = zone[name]
    if (records === null) return
    const found = typeof records === 'function' ? records(before + 1) : records
    const answers = found ? answersTo(name, type, found) : []
    const reply = { type: 'response' as const, id: id ?? 0, flags: found ? 0 : 3, questions: asked, answers }
    socket.send(dns.encode(reply), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    ...{ server: `127.0.0.1:${socket.address().port}`, questions },
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** An alias comes with what it leads to. */
function answersTo(name: string, type: string, records: DnsRecord[]): Answer[] {
  const alias = records.find(([kind]) => kind === 'CNAME')
  const at = alias ? alias[1] : name
  const addresses = records.filter(([kind]) => kind === type).map(([kind, data]) => ({ type: kind, name: at, data }))
  const first = alias ? [{ type: 'CNAME' as const, name, data: at }] : []
  return [...first, ...addresses].map((answer) => ({ ...answer, ttl: 0 })) as Answer[]
}
