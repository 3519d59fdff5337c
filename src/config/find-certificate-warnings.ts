import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TlsFiles } from './config.ts'
import type { ConfigMistake } from './config-error.ts'
import { describeRefusal } from './tls-files.ts'

/** Warns of a certificate that clients refuse. */
export function findCertificateWarnings(files: TlsFiles | undefined, now: number): ConfigMistake[] {
  if (!files) return []
  const refusal = describeRefusal(new X509Certificate(readFileSync(files.cert)), now)
  if (!refusal) return []
  const mistake = `${files.cert} ${refusal}, so clients refuse it`
  return [
    { path: 'listen.tls.cert', mistake, remedy: 'Renew the certificate; the server reads the new file by itself' },
  ]
}
