import type { TSchema } from 'typebox'
import type { AccountingPort } from './accounting.ts'
import type { Call } from './call.ts'
import type { DoctorFinding, ExaminationScope } from './doctor.ts'
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
  /** Reads the currency of the company, an ISO 4217 code, for `forecourt init`. Rejects like a port. */
  readCurrency?(settings: Settings, client: HttpClient, call: Call): Promise<string>
  /** Examines the system without changing it, for `forecourt doctor`. Rejects like a port. */
  examine?(
    settings: Settings,
    client: HttpClient,
    facts: MerchantFacts,
    scope: ExaminationScope,
  ): AsyncIterable<DoctorFinding>
}
