import { type ApiKey, isApiKeyUsable } from '../../storage/keys/api-keys.ts'
import type { StatusPill } from './status-pill.ts'

export function toKeyPill(key: ApiKey, at: string): StatusPill {
  const { revoked, revoked_at, expires_at } = key
  if (!isApiKeyUsable(key, at))
    return { tone: '', text: revoked || (revoked_at !== null && revoked_at <= at) ? 'Revoked' : 'Expired' }
  return (revoked_at ?? expires_at) ? { tone: 'warning', text: 'Expires' } : { tone: 'well', text: 'Active' }
}
