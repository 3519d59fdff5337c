import { LISTS_TAG, REFERENCES_TAG } from '../../cache/invalidations.ts'
import type { CatalogPartName } from '../../catalog/mirror/file/catalog-part-names.ts'
import type { NumberMirror } from '../../catalog/mirror/read/product-number-reader.ts'
import type { VehicleMirror } from '../../catalog/mirror/vehicles/vehicle-and-fitment-reader.ts'
import type { UpstreamError } from '../../errors.ts'
import type { SourceName, System } from '../../ports/system.ts'
import type { BackOffice } from '../back-office.ts'
import type { LoadResult } from '../read-stack/cached-loader.ts'
import type { VehiclePage } from '../readers/catalog-reader.ts'
import type { RequestScope } from '../request/request-scope.ts'

/** Reads the vehicles and numbers of a mirror, as far as they are filled and the file can be read. `null`: the source must be asked. */
export interface VehicleAccess {
  /** `error`: set when the part is stale; otherwise a response of `scope` is cached no longer than the part is current. `null`: not filled. */
  part(name: CatalogPartName, system: System, scope: RequestScope): { asOf: number; error: UpstreamError | null } | null
  read<T>(read: (mirror: VehicleMirror & NumberMirror) => T): T | null
}

export interface MirroredVehiclesOptions {
  /** The source of fitment, which X-Sandbox-Fault can fail. */
  source: 'inventory' | 'fitment'
  /** An import also finds vehicles by ids that earlier imports gave them. */
  hasFormerIds: boolean
}

type VehicleReads = Pick<BackOffice, 'vehicleFacet' | 'vehicleItems' | 'fitments' | 'references' | 'productsByNumber'>

/**
 * A back office whose vehicles, fitment and references are read from a mirror, as far as that is filled. `inner` searches the mirror's
 * products; reads that X-Sandbox-Fault fails stay its own.
 */
export function withVehicleMirror(
  inner: BackOffice,
  access: VehicleAccess,
  { source, hasFormerIds }: MirroredVehiclesOptions,
): BackOffice {
  const hasFault = ({ faults }: RequestScope) => faults.inventory !== undefined || faults.fitment !== undefined

  /** Returns `null` when the source must be asked. */
  function readPart<V>(
    name: 'vehicles' | 'references',
    system: SourceName,
    scope: RequestScope,
    read: (mirror: VehicleMirror & NumberMirror) => V | null,
  ): LoadResult<V> | null {
    const filled = access.part(name, 'inventory', scope)
    const found = filled && access.read((mirror) => ({ value: read(mirror) }))
    if (!filled || !found) return null
    // What the mirror does not have is absent, however old it is.
    const error = found.value === null ? null : filled.error
    if (error) error.system = system
    return { value: found.value, error, asOf: filled.asOf, system, mirrored: true }
  }

  async function readVehicleItems(...[vehicleId, page, scope]: Parameters<BackOffice['vehicleItems']>) {
    const vehicle = readPart('vehicles', source, scope, (mirror) => mirror.vehicle(vehicleId))
    if (!vehicle || inner.mirror.state !== 'ready' || (vehicle.value === null && hasFormerIds)) return null
    scope.tags.add(LISTS_TAG)
    if (vehicle.value === null) return { ...vehicle, value: null }
    const found = await inner.mirror.search({ vehicleId, ...page }, scope)
    const { value } = found
    if (value === null) return { ...found, value }
    const fitments = access.read((mirror) => mirror.fitmentsOn(vehicleId, value.skus))
    return fitments && toVehiclePage(vehicle as LoadResult<VehiclePage['vehicle']>, { ...found, value }, fitments)
  }

  const reads: VehicleReads = {
    async vehicleFacet(query, scope) {
      const found = hasFault(scope) ? null : readPart('vehicles', source, scope, (mirror) => mirror.vehicleFacet(query))
      if (!found) return inner.vehicleFacet(query, scope)
      scope.tags.add(LISTS_TAG)
      return found
    },
    async vehicleItems(vehicleId, page, scope) {
      const found = hasFault(scope) ? null : await readVehicleItems(vehicleId, page, scope)
      return found ?? inner.vehicleItems(vehicleId, page, scope)
    },
    async fitments(sku, page, scope) {
      const found = hasFault(scope) ? null : readPart('vehicles', source, scope, (mirror) => mirror.fitments(sku, page))
      if (!found) return inner.fitments(sku, page, scope)
      // A vehicle that is renamed changes the list of the product too.
      scope.tags.add(sku).add(LISTS_TAG)
      return found
    },
    references(sku, customerId, scope) {
      const found = scope.faults.references
        ? null
        : readPart('references', 'references', scope, (mirror) => mirror.references(sku, customerId))
      if (!found) return inner.references(sku, customerId, scope)
      scope.tags.add(sku).add(REFERENCES_TAG)
      for (const related of found.value!.related) scope.tags.add(related.sku)
      return Promise.resolve(found)
    },
    async productsByNumber(number, customerId, scope) {
      const found = scope.faults.references
        ? null
        : readPart('references', 'references', scope, (mirror) => mirror.productsByNumber(number, customerId))
      if (!found) return inner.productsByNumber(number, customerId, scope)
      scope.tags.add(REFERENCES_TAG).add(LISTS_TAG)
      return found
    },
  }
  return { ...inner, ...reads }
}

type Found<V> = LoadResult<V> & { value: V }

/** The file may have changed since the search: a product that no longer fits is left out. */
function toVehiclePage(
  vehicle: LoadResult<VehiclePage['vehicle']>,
  page: Found<Omit<VehiclePage, 'vehicle' | 'fitments'>>,
  fitments: ReturnType<VehicleMirror['fitmentsOn']>,
): LoadResult<VehiclePage> {
  const { skus, newest, total, has_more } = page.value
  const value = {
    newest,
    total,
    has_more,
    vehicle: vehicle.value!,
    skus: skus.filter((_, at) => fitments[at] !== null),
    fitments: fitments.filter((fitment) => fitment !== null),
  }
  const error = page.error ?? vehicle.error
  const system = (page.error ? page : vehicle).system
  return { value, error, asOf: Math.min(page.asOf, vehicle.asOf), mirrored: true, ...(system && { system }) }
}
