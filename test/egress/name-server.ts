import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import dns, { type Answer } from 'dns-packet'

export interface NameServer extends AsyncDisposable {
  /** Address for Resolver.setServers. */
  server: string
  /** Received queries as `A name`, in order. */
  questions: string[]
}

/** A record as it is written in a zone: type and value. */
export type DnsRecord = ['A' | 'AAAA' | 'CNAME', string]
/** The records of each name; a function of the query's number when they change, `null` when the server never responds. */
export type DnsZone = { [name: string]: DnsRecord[] | ((queryNumber: number) => DnsRecord[]) | null }

/** A name server on loopback, over UDP. A name that is not in the zone does not exist. */
export async function startNameServer(zone: DnsZone): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id, questions: received = [] } = dns.decode(message)
    const { name, type } = received[0]!
    const earlier = questions.filter((question) => question === `${type} ${name}`).length
    questions.push(`${type} ${name}`)
    const records = zone[name]
    if (records === null) return
    const current = typeof records === 'function' ? records(earlier + 1) : records
    const answers = current ? toAnswers(name, type, current) : []
    const reply = { type: 'response' as const, id: id ?? 0, flags: current ? 0 : 3, questions: received, answers }
    socket.send(dns.encode(reply), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** An alias is returned together with the addresses of its target. */
function toAnswers(name: string, type: string, records: DnsRecord[]): Answer[] {
  const alias = records.find(([kind]) => kind === 'CNAME')
  const target = alias ? alias[1] : name
  const addresses = records
    .filter(([kind]) => kind === type)
    .map(([kind, data]) => ({ type: kind, name: target, data }))
  const aliasAnswers = alias ? [{ type: 'CNAME' as const, name, data: target }] : []
  return [...aliasAnswers, ...addresses].map((answer) => ({ ...answer, ttl: 0 })) as Answer[]
}
