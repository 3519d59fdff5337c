import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { ConfigError, type ConfigMistake } from '../config-error.ts'
import { findSettingRemedy } from '../mistakes/find-setting-remedy.ts'

/** Paths of the API's certificate, with its chain, and of its private key. */
export interface TlsFiles {
  cert: string
  key: string
}

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

function readPart(files: TlsFiles, name: keyof TlsFiles): Buffer | ConfigMistake {
  try {
    return readFileSync(files[name])
  } catch (error) {
    return toMistake(files, name, `cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Throws ConfigError unless a TLS server can serve the pair. Returns the server's certificate. */
export function assertUsablePair(files: TlsFiles, { cert, key }: TlsPair): X509Certificate {
  const certificate = attempt(() => new X509Certificate(cert))
  const privateKey = attempt<KeyObject>(() => createPrivateKey(key))
  const mistakes = [
    findCertificateMistake(files, cert, certificate),
    privateKey ? null : toMistake(files, 'key', 'is not a private key in PEM without a passphrase'),
  ].filter((mistake) => mistake !== null)
  if (mistakes.length > 0) throw createTlsError(mistakes)
  if (certificate!.checkPrivateKey(privateKey!)) return certificate!
  throw createTlsError([toMistake(files, 'key', `does not belong to ${files.cert}`)])
}

const STRONG_KEY = 'Use an RSA key of 2048 bits or more, or an elliptic curve such as prime256v1'

/** Finds why TLS refuses a certificate and its chain. X509Certificate reads the first one only, and also formats other than PEM. */
function findCertificateMistake(files: TlsFiles, cert: Buffer, parsed: X509Certificate | null): ConfigMistake | null {
  try {
    createSecureContext({ cert })
    return null
  } catch (error) {
    const { code, reason } = error as { code?: string; reason?: string }
    if (!parsed || code === 'ERR_OSSL_PEM_NO_START_LINE') return toMistake(files, 'cert', 'is not a certificate in PEM')
    if (code === 'ERR_SSL_EE_KEY_TOO_SMALL')
      return toMistake(files, 'cert', `has a key that is too weak for TLS: ${describeKey(parsed)}`, STRONG_KEY)
    if (code === 'ERR_SSL_CA_KEY_TOO_SMALL')
      return toMistake(files, 'cert', 'has a certificate in its chain whose key is too weak for TLS', STRONG_KEY)
    return toMistake(files, 'cert', `cannot be used for TLS: ${reason}`)
  }
}

function describeKey({ publicKey: { asymmetricKeyType, asymmetricKeyDetails } }: X509Certificate): string {
  const { modulusLength, namedCurve } = asymmetricKeyDetails ?? {}
  return `${asymmetricKeyType}, ${modulusLength ? `${modulusLength} bits` : namedCurve}`
}

function attempt<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}

const toMistake = (
  files: TlsFiles,
  name: keyof TlsFiles,
  problem: string,
  remedy = findSettingRemedy(`listen.tls.${name}`)!,
): ConfigMistake => ({ path: `listen.tls.${name}`, mistake: `${files[name]} ${problem}`, remedy })

const createTlsError = (mistakes: ConfigMistake[]) => new ConfigError('The configuration of TLS', mistakes)
