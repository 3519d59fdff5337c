import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Problem } from '../errors.ts'
import { createFairLimit } from '../lifecycle/fair-limit.ts'

/** Groups take turns, and each has a queue of its own: strangers who fill theirs do not keep others from signing in. */
export interface PasswordHasher {
  /** Throws `overloaded` when the queue of a group is full. */
  requireCapacity(group: string): void
  /** Resolves to a PHC string. Throws `overloaded` when the queue of the group is full. */
  hash(password: string, group?: string): Promise<string>
  /** Compares a password with a PHC string. `null` takes as long and never matches, so that the time does not reveal whether an account exists. */
  matches(password: string, hash: string | null, group?: string): Promise<boolean>
}

/** The cost of argon2id. */
export interface PasswordCost {
  /** In KiB. */
  memory: number
  passes: number
  parallelism: number
}

/** OWASP's second choice for argon2id: 19 MiB, two passes, one lane; about 30 ms of one core. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
/** Half of libuv's threads: file access and DNS lookups use the same threads. */
const CONCURRENCY = 2
/** A longer queue would outlast the client's timeout. */
const MAX_QUEUED = 64
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const derive = (parameters: Argon2Parameters) =>
  new Promise<Buffer>((resolve, reject) => {
    argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key)))
  })

export interface PasswordHasherOptions {
  concurrency?: number
  maxQueued?: number
  cost?: PasswordCost | undefined
}

/** Hashes with argon2id off the event loop, with limited concurrency and bounded queues. */
export function createPasswordHasher({
  concurrency = CONCURRENCY,
  maxQueued = MAX_QUEUED,
  cost = COST,
}: PasswordHasherOptions = {}): PasswordHasher {
  const limit = createFairLimit({ concurrency, maxQueued })

  function requireCapacity(group: string): void {
    if (limit.isFull(group)) throw new Problem('overloaded', undefined, { headers: { 'Retry-After': '1' } })
  }

  function run(group: string, password: string, salt: Buffer, length: number, by: PasswordCost): Promise<Buffer> {
    requireCapacity(group)
    const parameters = { message: password.normalize('NFKC'), nonce: salt, tagLength: length, ...by }
    return limit.run(group, () => derive(parameters))
  }

  return {
    requireCapacity,
    async hash(password, group = '') {
      const salt = randomBytes(SALT_BYTES)
      return toPhcString(salt, await run(group, password, salt, TAG_BYTES, cost), cost)
    },
    async matches(password, hash, group = '') {
      const stored = parsePhcString(hash) ?? { cost, salt: randomBytes(SALT_BYTES), tag: null }
      const derived = await run(group, password, stored.salt, stored.tag?.length ?? TAG_BYTES, stored.cost)
      return stored.tag !== null && timingSafeEqual(derived, stored.tag)
    },
  }
}

/** Returns a hash that no password matches, as fast or slow to compare with as any other. */
export const createUnusablePasswordHash = (): string =>
  toPhcString(randomBytes(SALT_BYTES), randomBytes(TAG_BYTES), COST)

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

function toPhcString(salt: Buffer, tag: Buffer, { memory, passes, parallelism }: PasswordCost): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`
}

function parsePhcString(hash: string | null): { cost: PasswordCost; salt: Buffer; tag: Buffer | null } | null {
  if (hash === null) return null
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash) ?? []
  if (!salt || !tag) throw new Error('The stored password hash is not an argon2id PHC string')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}
