import type { Reply } from '../../support/api.ts'

/** Repeats a request, a few at a time: PostgreSQL has few connections, and waiting for one times out soon. */
export async function repeatRequest(count: number, ask: () => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < count) {
    const few = Math.min(10, count - replies.length)
    replies.push(...(await Promise.all(Array.from({ length: few }, ask))))
  }
  return replies
}
