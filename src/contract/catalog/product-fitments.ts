import Type from 'typebox'
import { Pagination } from '../pagination.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { vehicleMembers } from './vehicle.ts'
import { fitmentMembers } from './vehicle-fitment.ts'

export const ProductFitments = Type.Object(
  {
    sku: Type.String(),
    universal: Type.Boolean(),
    data: Type.Array(Type.Object({ ...vehicleMembers, ...fitmentMembers }, { $id: 'FittedVehicle' })),
    pagination: Pagination,
    errors: SectionErrors,
  },
  { $id: 'ProductFitments' },
)
