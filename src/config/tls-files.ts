import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { TlsFiles } from './config.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import { findConfigRemedy } from './config-remedies.ts'

/** A certificate with its chain, and its private key, in PEM. */
export type TlsPair = Record<keyof TlsFiles, Buffer>

/** Reads the files of `listen.tls`. Throws ConfigError when they cannot be used. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = { cert: readPart(files, 'cert'), key: readPart(files, 'key') }
  const mistakes = Object.values(pair).filter((part): part is ConfigMistake => !Buffer.isBuffer(part))
  if (mistakes.length > 0) throw createTlsError(mistakes)
  assertUsablePair(files, pair as TlsPair)
  return pair as TlsPair
}

/** Lists what is wrong with the files of `listen.tls`. */
export function findTlsMistakes(files: TlsFiles): ConfigMistake[] {
  try {
    readTlsPair(files)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
}

function readPart(files: TlsFiles, name: keyof TlsFiles): Buffer | ConfigMistake {
  try {
    return readFileSync(files[name])
  } catch (error) {
    return toMistake(files, name, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Throws ConfigError unless a TLS server can serve the pair. Returns the server's certificate. */
export function assertUsablePair(files: TlsFiles, { cert, key }: TlsPair): X509Certificate {
  const certificate = attempt(() => {
    createSecureContext({ cert })
    return new X509Certificate(cert)
  })
  const privateKey = attempt<KeyObject>(() => createPrivateKey(key))
  if (certificate && privateKey && certificate.checkPrivateKey(privateKey)) return certificate
  if (certificate && privateKey) throw createTlsError([toMistake(files, 'key', `does not belong to ${files.cert}`)])
  throw createTlsError([
    ...(certificate ? [] : [toMistake(files, 'cert', 'is not a certificate in PEM')]),
    ...(privateKey ? [] : [toMistake(files, 'key', 'is not a private key in PEM without a passphrase')]),
  ])
}

/** Describes why a certificate is not valid at a time; `null` when it is valid. */
export function describeValidity({ validFromDate, validToDate }: X509Certificate, now: number): string | null {
  if (validToDate.getTime() < now) return `expired on ${validToDate.toISOString()}`
  return validFromDate.getTime() > now ? `is not valid before ${validFromDate.toISOString()}` : null
}

/** Warns of a certificate that clients refuse. */
export function findCertificateWarnings(files: TlsFiles | undefined, now: number): ConfigMistake[] {
  if (!files) return []
  const validity = describeValidity(new X509Certificate(readFileSync(files.cert)), now)
  if (!validity) return []
  const mistake = `${files.cert} ${validity}, so clients refuse it`
  return [
    { path: 'listen.tls.cert', mistake, remedy: 'Renew the certificate; the server reads the new file by itself' },
  ]
}

function attempt<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}

const toMistake = (files: TlsFiles, name: keyof TlsFiles, problem: string): ConfigMistake => ({
  path: `listen.tls.${name}`,
  mistake: `${files[name]} ${problem}`,
  remedy: findConfigRemedy(`listen.tls.${name}`)!,
})

const createTlsError = (mistakes: ConfigMistake[]) => new ConfigError('The configuration of TLS', mistakes)
