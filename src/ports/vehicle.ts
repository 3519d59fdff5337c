export interface Vehicle {
  vehicle_id: number
  year: number
  make: string
  model: string
  submodel: string | null
  engine: string | null
  market: string
}

export interface VehicleFacetValue {
  value: string
  label: string
  count: number
  /** Only on models: the first of the variants. */
  vehicle_id?: number
  variants?: (Pick<Vehicle, 'vehicle_id' | 'submodel' | 'engine'> & { market?: string | null })[]
}

export type VehicleFacetQuery =
  | { facet: 'year'; market?: string }
  | { facet: 'make'; market?: string; year: number }
  | { facet: 'model'; market?: string; year: number; make: string }

export interface PageRange {
  limit: number
  offset: number
}
