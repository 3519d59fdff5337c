import type { PasswordCost } from '../../src/commands/password-hasher.ts'

/** The lowest cost of a password: tests hash and compare hundreds, which would take 30 ms of CPU each. */
export const CHEAP_PASSWORD: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }
