import Type from 'typebox'
import { Day, Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'

export const BandSchema = Type.Enum(['IN_STOCK', 'LOW', 'OUT', 'LEAD_TIME'], {
  $id: 'AvailabilityBand',
  description:
    'IN_STOCK: comfortably available. LOW: few left. OUT: none now. LEAD_TIME: none now, expected on eta. Never a count.',
})

const Orderable = Type.Boolean({
  description: 'Whether checkout accepts the product. May be true with OUT and false with LEAD_TIME: the shop decides.',
})

const Branches = Type.Optional(
  Type.Array(
    Type.Object(
      {
        branch_id: Type.String(),
        name: Type.String(),
        band: Type.Enum(['IN_STOCK', 'LOW', 'OUT'], { $id: 'BranchBand' }),
      },
      { $id: 'BranchAvailability' },
    ),
    { description: 'The band at each branch, if the back office reports them' },
  ),
)

export const AvailabilitySummary = Type.Object(
  { band: BandSchema, eta: Nullable(Day), orderable: Orderable, branches: Branches },
  { $id: 'Banding' },
)

const row = {
  sku: Type.String(),
  band: Nullable(BandSchema),
  eta: Nullable(Day),
  lead_time_days: Nullable(Type.Integer({ minimum: 0 })),
  orderable: Nullable(Orderable),
  branches: Branches,
  as_of: Nullable(Timestamp),
}

export const Availability = Type.Object({ ...row, errors: SectionErrors }, { $id: 'Availability' })

export const AvailabilityBatchIn = Type.Object(
  { skus: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }) },
  { $id: 'AvailabilityBatchIn' },
)

export const AvailabilityBatch = Type.Object(
  {
    data: Type.Array(Type.Object(row, { $id: 'AvailabilityRow' })),
    unknown_skus: Type.Array(Type.String()),
    errors: SectionErrors,
  },
  { $id: 'AvailabilityBatch' },
)
