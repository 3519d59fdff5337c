import { storedResponses } from './stored-responses.ts'

/** A stand-in of `next/cache`. `revalidateTag` forgets the responses with a tag. */
export function revalidateTag(tag: string, _profile: string | { expire?: number }): void {
  for (const [key, { tags }] of storedResponses) if (tags.includes(tag)) storedResponses.delete(key)
}

export const refresh = (): void => undefined
