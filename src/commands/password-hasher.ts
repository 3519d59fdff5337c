import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import pLimit from 'p-limit'
import { Problem } from '../errors.ts'
import type { PasswordHasher } from './command-context.ts'

interface Cost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane; some 30 ms of one core. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Half of libuv's threads: files and name look-ups go through the same ones. */
const PARALLEL = 2
/** More than a client waits for: refused at once. */
const MOST_WAITING = 64
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const derive = (parameters: Argon2Parameters) =>
  new Promise<Buffer>((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  })

/** argon2id in PHC string format, on a few threads, with a bounded queue: `overloaded` beyond it. */
export function createPasswordHasher({ parallel = PARALLEL, mostWaiting = MOST_WAITING } = {}): PasswordHasher {
  const limit = pLimit(parallel)

  function run(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
    if (limit.pendingCount >= mostWaiting)
      throw new Problem('overloaded', undefined, { headers: { 'Retry-After': '1' } })
    const parameters = { message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...cost }
    return limit(() => derive(parameters))
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      return phc(salt, await run(password, salt, TAG_BYTES, COST), COST)
    },
    async matches(password, hash) {
      const { cost, salt, tag } = parsed(hash) ?? { cost: COST, salt: randomBytes(SALT_BYTES), tag: null }
      const derived = await run(password, salt, tag?.length ?? TAG_BYTES, cost)
      return tag !== null && timingSafeEqual(derived, tag)
    },
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function phc(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: Cost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function parsed(hash: string | null): { cost: Cost; salt: Buffer; tag: Buffer | null } | null {
  if (hash === null) return null
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash) ?? []
  if (!salt || !tag) throw new Error('a stored password is not a PHC string of argon2id')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
