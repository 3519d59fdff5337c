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
  const mistakes: ConfigMistake[] = []
  const read = (name: keyof TlsFiles): Buffer => {
    try {
      return readFileSync(files[name])
    } catch (error) {
      mistakes.push(toMistake(files, name, `cannot be read (${(error as NodeJS.ErrnoException).code})`))
      return Buffer.alloc(0)
    }
  }
  const pair = { cert: read('cert'), key: read('key') }
  if (mistakes.length > 0) throw createTlsError(mistakes)
  assertUsablePair(files, pair)
  return pair
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
