/** A vehicle as a file names it. */
export interface NamedVehicle {
  market: string
  year: number
  make: string
  model: string
  submodel: string | null
  engine: string | null
}

/** What makes a vehicle that vehicle, however it is spelled: in every import the same. */
export function vehicleKey({ market, year, make, model, submodel, engine }: NamedVehicle): string {
  return JSON.stringify([market, year, make, model, submodel ?? '', engine ?? '']).toLowerCase()
}

export const vehicleName = ({ year, make, model, submodel, engine }: NamedVehicle): string =>
  [year, make, model, submodel, engine].filter(Boolean).join(' ')
