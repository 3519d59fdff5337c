import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ConfigMistake } from '../config-error.ts'
import { describeCertificateRefusal } from '../tls/describe-certificate-refusal.ts'
import type { TlsFiles } from '../tls/tls-pair.ts'

/** Warns of a certificate that clients refuse. */
export function findCertificateWarnings(files: TlsFiles | undefined, now: number): ConfigMistake[] {
  if (!files) return []
  const refusal = describeCertificateRefusal(new X509Certificate(readFileSync(files.cert)), now)
  if (!refusal) return []
  const mistake = `${files.cert} ${refusal}, so clients refuse it`
  return [
    { path: 'listen.tls.cert', mistake, remedy: 'Renew the certificate; the server reads the new file by itself' },
  ]
}
