import { randomBytes } from 'node:crypto'
import { print } from '../print.ts'

const KEY_BYTES = 32

/** Prints 256 random bits in the format of webhooks.key. */
export const runWebhooksKey = (): void => print(randomBytes(KEY_BYTES).toString('base64'))
