import type { Vehicle } from './vehicle.ts'

export interface Fitment {
  positions: string[]
  quantity: number | null
  notes: string | null
  qualifiers: { code: string; text: string }[]
}

/** The vehicles that one SKU fits. */
export interface SkuFitments {
  universal: boolean
  fitments: (Vehicle & Fitment)[]
  total: number | null
  has_more: boolean
}
