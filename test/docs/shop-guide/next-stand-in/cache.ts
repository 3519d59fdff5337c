/** A stand-in of `next/cache` and of the `fetch` of Next.js: responses are stored under their URL until a tag of theirs is revalidated. */

declare global {
  interface RequestInit {
    next?: { tags?: string[]; revalidate?: number }
  }
}

const stored = new Map<string, { response: Response; tags: readonly string[] }>()

export async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (!init.next) return globalThis.fetch(input, init)
  const key = String(input)
  const found = stored.get(key)
  if (found) return found.response.clone()
  const response = await globalThis.fetch(input, init)
  if (response.status === 200) stored.set(key, { response: response.clone(), tags: init.next.tags ?? [] })
  return response
}

export function revalidateTag(tag: string, _profile: string | { expire?: number }): void {
  for (const [key, { tags }] of stored) if (tags.includes(tag)) stored.delete(key)
}

export const refresh = (): void => undefined
