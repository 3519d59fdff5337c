import { randomBytes } from 'node:crypto'

const VARIABLE = 'FORECOURT_TEST_TEMPLATE'

/** The database that a whole run copies: named by its first process, made by the first that needs it, dropped at the end. */
export function templateName(): string {
  process.env[VARIABLE] ??= `forecourt_test_template_${randomBytes(8).toString('hex')}`
  return process.env[VARIABLE]
}

export async function dropTemplate(): Promise<void> {
  const server = process.env.FORECOURT_TEST_POSTGRES
  if (!server) return
  const { asked } = await import('./stores.ts')
  await asked(server, `drop database if exists ${templateName()} with (force)`)
}
