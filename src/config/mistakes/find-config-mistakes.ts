import { modes } from '../../tenant.ts'
import type { AdapterRegistry } from '../adapter-registry.ts'
import type { ConfigMistake } from '../config-error.ts'
import type { Environment } from '../environment/process-environment.ts'
import { ConfigFile } from '../schema/config-file-schema.ts'
import { MERCHANT_ID_PATTERN } from '../schema/merchant-schema.ts'
import { hasAdapterName, listSystemEntries } from '../schema/system-entries.ts'
import type { UncheckedConfigFile } from '../schema/unchecked-config-file.ts'
import { findCurrencyMistakes } from './find-currency-mistakes.ts'
import { findFitmentMistakes } from './find-fitment-mistakes.ts'
import { findListenerPortMistakes } from './find-listener-port-mistakes.ts'
import { findMirrorMistakes } from './find-mirror-mistakes.ts'
import { findNotificationMistakes } from './find-notification-mistakes.ts'
import { findShapeMistakes } from './find-shape-mistakes.ts'
import { findSharedSystemMistakes } from './find-shared-system-mistakes.ts'
import { findStoreAddressMistake } from './find-store-address-mistake.ts'
import { findSystemLimitMistakes } from './find-system-limit-mistakes.ts'
import { findSystemMistakes } from './find-system-mistakes.ts'
import { findTimeZoneMistakes } from './find-time-zone-mistakes.ts'
import { findTrustedProxyMistakes } from './find-trusted-proxy-mistakes.ts'
import { findUrlMistakes } from './find-url-mistakes.ts'
import { findWorkerMistakes } from './find-worker-mistakes.ts'

/** Lists every mistake of a file whose texts from the environment are converted. */
export function findConfigMistakes(value: unknown, adapters: AdapterRegistry, env: Environment): ConfigMistake[] {
  return [
    ...findShapeMistakes(ConfigFile, value, ''),
    ...findSemanticMistakes(value as UncheckedConfigFile, adapters, env),
  ]
}

/** Finds what a schema cannot express. Each check skips values of a wrong shape, so that all mistakes are reported at once. */
function findSemanticMistakes(file: UncheckedConfigFile, adapters: AdapterRegistry, env: Environment): ConfigMistake[] {
  const storeMistake = typeof file?.store === 'string' ? findStoreAddressMistake(file.store) : null
  const systems = listSystemEntries(file).filter(hasAdapterName)
  return [
    ...(storeMistake ? [{ path: 'store', ...storeMistake }] : []),
    ...findUrlMistakes('mail', file?.mail, 'url'),
    ...findUrlMistakes('', file, 'public_url'),
    ...findListenerPortMistakes(file, env),
    ...findWorkerMistakes(file, env),
    ...findTrustedProxyMistakes(file?.trusted_proxies),
    ...findNotificationMistakes(file),
    ...Object.entries(file?.merchants ?? {}).flatMap(([merchant, settings]) => [
      ...findMerchantIdMistakes(merchant),
      ...findMerchantMistakes(settings, `merchants.${merchant}`),
    ]),
    ...systems.flatMap((system) => [
      ...findSystemMistakes(system, adapters),
      ...findSystemLimitMistakes(system, file?.deadline_ms),
    ]),
    ...findSharedSystemMistakes(systems),
  ]
}

function findMerchantIdMistakes(id: string): ConfigMistake[] {
  if (MERCHANT_ID_PATTERN.test(id)) return []
  const remedy = 'A merchant id has 1 to 63 characters: a-z, 0-9, - and _'
  return [{ path: `merchants.${id}`, mistake: 'cannot be a merchant id', remedy }]
}

function findMerchantMistakes(settings: Record<string, unknown> | null | undefined, path: string): ConfigMistake[] {
  return [
    ...findTimeZoneMistakes(`${path}.time_zone`, settings?.time_zone),
    ...findCurrencyMistakes(`${path}.currency`, settings?.currency),
    ...findMirrorMistakes(settings?.mirror, `${path}.mirror`),
    ...findUrlMistakes(`${path}.mail`, settings?.mail, 'verify_url'),
    ...findUrlMistakes(`${path}.mail`, settings?.mail, 'reset_url'),
    ...modes.flatMap((mode) =>
      findFitmentMistakes(settings?.[mode] as Record<string, unknown> | null | undefined, mode, `${path}.${mode}`),
    ),
  ]
}
