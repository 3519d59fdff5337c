import { decodeAscii } from './decode-ascii.ts'
import { PERSONAL_TEXT } from './is-personal-text.ts'
import { redactApiKeys } from './redact-api-keys.ts'
import { redactSigningSecrets } from './redact-signing-secrets.ts'

const MAX_PATH_LENGTH = 256
const MAX_READ_LENGTH = 2_048

/** Returns a request's path for logs and operators: without its query, which may hold search terms or an email token. */
export function redactPath(url: string): string {
  const path = url.split('?', 1)[0]!.slice(0, MAX_READ_LENGTH)
  const redacted = redactSigningSecrets(redactApiKeys(decodeAscii(path)))
  return redacted
    .split('/')
    .map((segment) => (PERSONAL_TEXT.test(segment) ? '[redacted]' : segment))
    .join('/')
    .slice(0, MAX_PATH_LENGTH)
}
