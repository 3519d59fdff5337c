import { adapters } from '../../adapters.ts'
import { createCallWithDeadline } from '../../doctor/call-with-deadline.ts'
import { UpstreamError } from '../../errors.ts'
import { createHttpClient } from '../../upstream/client/http-client.ts'
import { printError } from '../print.ts'
import { secretSettings } from './environment-variable-names.ts'
import { type InitAnswers, isGiven } from './init-answers.ts'

const TIMEOUT_MS = 10_000
const MAX_RESPONSE_BYTES = 1_000_000

/** Reads the currency of the company from the back office; `undefined`, and a message, if it cannot be read. */
export async function readBackOfficeCurrency(answers: InitAnswers): Promise<string | undefined> {
  const { backOffice, address, database, user, secret } = answers
  const readCurrency = backOffice === 'sandbox' ? undefined : adapters[backOffice]?.readCurrency
  if (backOffice === 'sandbox' || !readCurrency) return undefined
  const settings = {
    [secretSettings[backOffice].setting]: secret,
    ...(isGiven(database) && { database }),
    ...(isGiven(user) && { user }),
  }
  await using client = createHttpClient({ address, maxSockets: 1, maxResponseBytes: MAX_RESPONSE_BYTES })
  const { call, dispose } = createCallWithDeadline({ timeoutMs: TIMEOUT_MS, signal: new AbortController().signal })
  try {
    return await readCurrency(settings, client, call)
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    printError(`  The currency of the company could not be read: ${error.message}`)
    return undefined
  } finally {
    dispose()
  }
}
