import type { TSchema } from 'typebox'
import type { AccountingPort } from './accounting.ts'
import type { Call } from './call.ts'
import type { FitmentPort } from './fitment.ts'
import type { HttpClient } from './http-client.ts'
import type { InventoryPort } from './inventory.ts'
import type { PictureKey, PictureUrls } from './picture.ts'
import type { PricingPort } from './pricing.ts'
import type { PortName } from './system.ts'

/** The facts about its merchant that an adapter needs. */
export interface MerchantFacts {
  merchant: string
  currency: string
  timeZone: string
  now(): Date
  /** The public URLs of a picture that `InventoryPort.picture` reads, for `ProductMedia`. */
  pictureUrls(picture: PictureKey): PictureUrls
}

/** A problem or a note about a system, with its remedy. Neither text contains a secret. */
export interface Finding {
  /** The name of the check: `module`, `right`, `duplicate_sku`. */
  check: string
  /** `error`: something does not work. `warning`: something may not work. `note`: information. */
  severity: 'error' | 'warning' | 'note'
  finding: string
  /** `{path}` is replaced by the system's place in the configuration. Empty: nothing to do. */
  remedy: string
  /** The system cannot be called until this is fixed. */
  blocks?: boolean
}

/** The scope of an examination, and its calls: each call has its own deadline. */
export interface Examination {
  /** The ports that the merchant uses of this system. */
  systems: readonly PortName[]
  call(): Call
}

/** The ports of one connected system. */
export interface AdapterPorts {
  inventory?: InventoryPort
  pricing?: PricingPort
  accounting?: AccountingPort
  /** Vehicles, for a merchant whose inventory is another system. */
  fitment?: FitmentPort
}

/** One kind of back office. Calls to a port that it does not offer fail with `not_configured`. */
export interface Adapter<Settings = Record<string, unknown>> {
  readonly name: string
  /** The schema of the adapter's own settings in the configuration file, in addition to `adapter`, `address` and `limits`. */
  readonly settings: TSchema
  /** The ports that systems of this kind can have. A configuration that reads another one from them is refused. */
  readonly ports: readonly PortName[]
  /**
   * Connects one system once, so that its ports share a login, small tables and calls. `systems` are the ports that the
   * merchant reads from it; ports besides these are ignored.
   */
  connect(settings: Settings, client: HttpClient, facts: MerchantFacts, systems: readonly PortName[]): AdapterPorts
  /** Examines the system without changing it, for `forecourt doctor`. Rejects like a port. */
  examine?(
    settings: Settings,
    client: HttpClient,
    facts: MerchantFacts,
    examination: Examination,
  ): AsyncIterable<Finding>
}
