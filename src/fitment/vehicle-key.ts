/** A vehicle as a file describes it. */
export interface NamedVehicle {
  market: string
  year: number
  make: string
  model: string
  submodel: string | null
  engine: string | null
}

/** The identity of a vehicle, regardless of case: the same in every import. */
export function vehicleKey({ market, year, make, model, submodel, engine }: NamedVehicle): string {
  return JSON.stringify([market, year, make, model, submodel ?? '', engine ?? '']).toLowerCase()
}

export const vehicleName = ({ year, make, model, submodel, engine }: NamedVehicle): string =>
  [year, make, model, submodel, engine].filter(Boolean).join(' ')
