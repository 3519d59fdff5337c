import { type TObject, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { HttpError } from '../http/http-error.ts'
import { orderStatusSchema, paymentStatusSchema } from '../protocol/order-schemas.ts'
import { amountSchema } from '../protocol/schema-parts.ts'

const daySchema = () => Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })
const emptyObject = Type.Object({}, { additionalProperties: false })

const schemas = {
  faults: Type.Object(
    {
      delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
      hang: Type.Optional(Type.Boolean()),
      error_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
      garbage: Type.Optional(Type.Boolean()),
      refuse: Type.Optional(Type.Boolean()),
      drop_after: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      late_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
      late_rate: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      only: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
    },
    { additionalProperties: false },
  ),
  products: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1 })),
      description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      brand: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      active: Type.Optional(Type.Boolean()),
      tags: Type.Optional(Type.Array(Type.String())),
      media: Type.Optional(Type.Array(Type.String(), { description: 'media_ids in their new order' })),
    },
    { additionalProperties: false },
  ),
  stock: Type.Object({
    available: Type.Number(),
    expected: Type.Optional(Type.Array(Type.Object({ date: daySchema(), quantity: Type.Number() }))),
    untracked: Type.Optional(Type.Boolean()),
    sell_when_out: Type.Optional(Type.Boolean()),
    expected_on: Type.Optional(daySchema()),
    branches: Type.Optional(
      Type.Array(Type.Object({ branch_id: Type.String(), name: Type.String(), available: Type.Number() })),
    ),
  }),
  shipments: Type.Object(
    {
      lines: Type.Optional(
        Type.Array(Type.Object({ sku: Type.String(), quantity: Type.Optional(amountSchema()) }), { minItems: 1 }),
      ),
      delivered: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  deliveries: emptyObject,
  rejections: emptyObject,
  cancellations: Type.Object(
    { reason: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
    { additionalProperties: false },
  ),
  invoices: emptyObject,
  voids: emptyObject,
  settlements: Type.Object({ amount: Type.Optional(amountSchema()) }, { additionalProperties: false }),
  payments: Type.Object({ status: paymentStatusSchema() }),
  statuses: Type.Object({ status: orderStatusSchema() }),
  delivery_prices: Type.Object({ price: amountSchema() }),
  credit: Type.Object({ limit: amountSchema() }),
  prices: Type.Object({
    amount: Type.String({ pattern: '^\\d+(\\.\\d{1,6})?$' }),
    uom: Type.Optional(Type.String({ minLength: 1, description: 'required for a SKU that has no price yet' })),
  }),
} satisfies Record<string, TObject>

const validators = Object.fromEntries(
  Object.entries(schemas).map(([kind, schema]) => [kind, Compile(schema as TObject)]),
)

/** Returns the body of a control request. Throws HttpError when it is invalid. */
export function validateControlChange(kind: string, body: unknown): unknown {
  const validator = validators[kind]
  if (!validator) throw new HttpError(404, 'not_found', 'the path does not exist')
  if (validator.Check(body)) return body
  const [firstError] = validator.Errors(body)
  throw new HttpError(
    400,
    'bad_request',
    `body${firstError?.instancePath ?? ''}: ${firstError?.message ?? 'is invalid'}`,
  )
}
