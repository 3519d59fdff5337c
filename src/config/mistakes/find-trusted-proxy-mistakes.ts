import { isIP } from 'node:net'
import { findCoveredFamilies, isMappedAddress } from '../../security/ip-address.ts'
import type { ConfigMistake } from '../config-error.ts'
import { findSettingRemedy } from './find-setting-remedy.ts'

const remedy = findSettingRemedy('trusted_proxies')!
const CHOICE = 'so each client could choose its own'

/** Finds entries of `trusted_proxies` that are neither an address nor a network, and entries that contain every client, alone or together. */
export function findTrustedProxyMistakes(entries: unknown): ConfigMistake[] {
  if (!Array.isArray(entries)) return []
  const texts = entries.filter((entry) => typeof entry === 'string')
  const mistakes = entries.flatMap((entry, index) => {
    const mistake = typeof entry === 'string' ? describeProxyMistake(entry) : null
    return mistake ? [{ path: `trusted_proxies.${index}`, mistake, remedy }] : []
  })
  if (mistakes.length > 0) return mistakes
  return findCoveredFamilies(texts.filter((entry) => entry !== 'loopback')).map((family) => ({
    path: 'trusted_proxies',
    mistake: `${family} entries together contain every public address, ${CHOICE}`,
    remedy,
  }))
}

function describeProxyMistake(entry: string): string | null {
  if (entry === 'loopback') return null
  const [, address = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const version = isIP(address)
  if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128))
    return `"${entry}" is not an address or a network`
  if (isMappedAddress(address)) return `"${entry}" is an IPv4 address in IPv6 form`
  return bits !== undefined && Number(bits) === 0 ? `"${entry}" contains every address, ${CHOICE}` : null
}
