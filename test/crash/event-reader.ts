import type { EventEnvelope } from '../../src/contract/events/event-envelope.ts'
import { getJson } from './get-json.ts'

/** Before the first event. */
const BEGINNING = '2000-01-01T00:00:00Z'

interface EventPage {
  data: EventEnvelope[]
  has_more: boolean
  next_since: string
}

/** A client that polls the list of events. */
export interface EventReader {
  readonly ids: string[]
  /** Returns the next events, none if a server could not respond. */
  next(): Promise<EventEnvelope[]>
}

export function createEventReader(address: () => string, key: string): EventReader {
  const ids: string[] = []
  let since = `since=${BEGINNING}`
  return {
    ids,
    async next() {
      const { status, body } = await getJson<EventPage>(address(), key, `/v1/events?limit=50&${since}`)
      if (status !== 200) return []
      since = `since=${body.next_since}`
      ids.push(...body.data.map(({ id }) => id))
      return body.data
    },
  }
}
