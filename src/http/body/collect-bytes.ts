import type { Readable } from 'node:stream'
import { Problem } from '../../errors.ts'
import type { BodyBudget } from './body-budget.ts'
import { createTooLargeError } from './too-large-error.ts'

export interface CollectOptions {
  /** In bytes. Rejects with Problem `payload_too_large` beyond it. */
  limit: number
  /** The size that the client announced; `undefined` without one, or for a compressed body. */
  length: number | undefined
  /** Memory that reading the stream takes. */
  overheadBytes: number
  budget: BodyBudget
}

/**
 * Reads a stream into one buffer of fixed size, whose memory is reserved first, so a body that arrives byte by byte takes no more memory. Rejects
 * with Problem `overloaded` when the budget gives the memory to a newer body, and with the stream's error when it ends early.
 */
export function collectBytes(
  stream: Readable,
  { limit, length, overheadBytes, budget }: CollectOptions,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const release = budget.reserve((length ?? limit) + overheadBytes, () => reject(createOverloadedError()))
  const buffer = Buffer.allocUnsafeSlow(length ?? limit)
  let end = 0
  const onData = (chunk: Buffer) => {
    if (end + chunk.length > buffer.length) return reject(createTooLargeError(limit))
    chunk.copy(buffer, end)
    end += chunk.length
  }
  const onClose = () => reject(new Error('The stream ended early'))
  stream.on('data', onData)
  stream.once('end', () => resolve(buffer.subarray(0, end)))
  stream.on('error', reject)
  stream.once('close', onClose)
  if (!stream.readable) onClose()
  return promise.finally(() => {
    release()
    stream.off('data', onData)
    stream.off('close', onClose)
  })
}

/** The rest of the body is not read, so the connection cannot be used again. */
const createOverloadedError = () =>
  new Problem('overloaded', 'Too many request bodies are arriving. Retry shortly.', {
    headers: { connection: 'close', 'Retry-After': '1' },
  })
