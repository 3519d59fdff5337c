import Type from 'typebox'
import { ModeSchema } from './schema-parts.ts'

export const Principal = Type.Object(
  {
    tenant_id: Type.String(),
    key_id: Type.String(),
    key_kind: Type.Enum(['PUBLISHABLE', 'SECRET'], { $id: 'KeyKind' }),
    scopes: Type.Array(Type.String()),
    mode: ModeSchema,
    rate_limit_per_minute: Type.Integer(),
  },
  { $id: 'Principal' },
)
