import { storedResponses } from './stored-responses.ts'

/** A stand-in of the `fetch` of Next.js: responses are stored under their URL until a tag of theirs is revalidated. */
export async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (!init.next) return globalThis.fetch(input, init)
  const key = String(input)
  const found = storedResponses.get(key)
  if (found) return found.response.clone()
  const response = await globalThis.fetch(input, init)
  if (response.status === 200) storedResponses.set(key, { response: response.clone(), tags: init.next.tags ?? [] })
  return response
}
