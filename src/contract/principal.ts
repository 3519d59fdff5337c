import Type from 'typebox'

export const Principal = Type.Object(
  {
    tenant_id: Type.String(),
    key_id: Type.String(),
    key_kind: Type.Enum(['PUBLISHABLE', 'SECRET']),
    scopes: Type.Array(Type.String()),
    mode: Type.Enum(['sandbox', 'live']),
    rate_limit_per_minute: Type.Integer(),
  },
  { $id: 'Principal' },
)
