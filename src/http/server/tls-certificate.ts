import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Server, TlsOptions } from 'node:tls'
import { describeCertificateRefusal } from '../../config/tls/describe-certificate-refusal.ts'
import type { TlsFiles } from '../../config/tls/tls-pair.ts'
import { assertUsablePair, readTlsPair, type TlsPair } from '../../config/tls/tls-pair.ts'
import { startPoller } from '../../lifecycle/poller.ts'

interface CertificateLogger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface TlsCertificateParts {
  files: TlsFiles
  logger: CertificateLogger
  /** `null`: only `reload` reads the files again. */
  intervalMs?: number | null
  now?: () => number
}

/** A certificate that is replaced when its files change. Open connections keep the certificate that they started with. */
export interface TlsCertificate extends AsyncDisposable {
  readonly options: TlsOptions
  /** Passes each later certificate to a server. */
  follow(server: Server): void
  /** Reads the files again now. */
  reload(): Promise<void>
}

/** Files are compared instead of watched: renewals replace links and folders, which the file systems report differently. */
const RELOAD_INTERVAL_MS = 5_000
const REFUSAL = 'the new TLS certificate cannot be used; the previous one stays'

/** Loads the files of `listen.tls`. Throws ConfigError when they cannot be used. */
export function loadTlsCertificate({
  files,
  logger,
  intervalMs = RELOAD_INTERVAL_MS,
  now = Date.now,
}: TlsCertificateParts): TlsCertificate {
  let current = toOptions(readTlsPair(files))
  /** The files as they were read last, usable or not: a mistake is logged once. */
  let lastRead = fingerprint(current)
  const servers = new Set<Server>()
  const warnOfRefusal = (certificate: X509Certificate) => {
    const refusal = describeCertificateRefusal(certificate, now())
    if (refusal) logger.warn({ subject: certificate.subject }, `the TLS certificate ${refusal}`)
  }
  warnOfRefusal(new X509Certificate(current.cert))

  async function round(): Promise<void> {
    const read = await readBoth(files)
    const found = read instanceof Error ? read.message : fingerprint(read)
    if (found === lastRead) return
    lastRead = found
    if (read instanceof Error) return logger.error({ err: read }, REFUSAL)
    try {
      const certificate = assertUsablePair(files, read)
      current = toOptions(read)
      for (const server of servers) server.setSecureContext(current)
      const { subject, validTo } = certificate
      logger.info({ subject, valid_to: validTo }, 'the TLS certificate was replaced')
      warnOfRefusal(certificate)
    } catch (err) {
      logger.error({ err }, REFUSAL)
    }
  }

  const poller = startPoller({ round, intervalMs, onError: (err) => logger.error({ err }, REFUSAL) })
  return {
    get options() {
      return current
    },
    follow: (server) => void servers.add(server),
    reload: poller.poll,
    [Symbol.asyncDispose]: poller[Symbol.asyncDispose],
  }
}

const readBoth = (files: TlsFiles): Promise<TlsPair | Error> =>
  Promise.all([readFile(files.cert), readFile(files.key)]).then(
    ([cert, key]) => ({ cert, key }),
    (error: Error) => error,
  )

const toOptions = ({ cert, key }: TlsPair) => ({ cert, key, minVersion: 'TLSv1.2' as const })
const fingerprint = ({ cert, key }: TlsPair) => `${cert.toString('latin1')}\n${key.toString('latin1')}`
