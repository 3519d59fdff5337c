import { Problem } from '../errors.ts'
import type { Context } from './context.ts'

/** The bytes of a request just as they came, for those who judge a signature over them. `null`: the client left. */
export async function readRawBody({ req }: Pick<Context, 'req'>, limit: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of req.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length
      if (length > limit) throw tooLarge(limit)
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    if (error instanceof Problem || req.complete) throw error
    return null
  }
  return Buffer.concat(chunks)
}

/** The rest of the body is not waited for, so the connection cannot be used again. */
const tooLarge = (limit: number) =>
  new Problem('payload_too_large', `The request body is larger than ${limit / 1_024} KiB.`, {
    headers: { connection: 'close' },
  })
