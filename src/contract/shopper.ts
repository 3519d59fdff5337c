import Type from 'typebox'
import { Nullable, SectionErrors, Timestamp } from './common-schemas.ts'
import { Me } from './customer.ts'

/** One @, nothing that has a meaning in a mail's header, and nothing that cannot be seen. Blanks around it are dropped. */
const Email = Type.String({
  maxLength: 254,
  pattern: '^[ \\t]*[^\\s@<>,;:"()\\[\\]\\\\\\x00-\\x1f\\x7f]+@[^\\s@<>,;:"()\\[\\]\\\\\\x00-\\x1f\\x7f]+[ \\t]*$',
  description: 'Compared without regard to case',
})
const newPassword = { minLength: 8, maxLength: 128 }
const NewPassword = Type.String(newPassword)
const Password = Type.String({ minLength: 1, maxLength: 128 })
const Token = Type.String({ minLength: 1, maxLength: 256 })
const Name = Type.String({ minLength: 1, maxLength: 120, pattern: '^[^\\s\\x00-\\x1f][^\\x00-\\x1f]*$' })

export const RegisterIn = Type.Object(
  {
    email: Email,
    password: NewPassword,
    first_name: Name,
    last_name: Name,
    company: Type.Optional(Type.String({ maxLength: 200 })),
    phone: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { $id: 'RegisterIn' },
)
export const LoginIn = Type.Object({ email: Email, password: Password }, { $id: 'LoginIn' })
export const RefreshIn = Type.Object({ refresh_token: Token }, { $id: 'RefreshIn' })
export const PasswordResetIn = Type.Object({ email: Email }, { $id: 'PasswordResetIn' })
export const PasswordResetConfirmIn = Type.Object(
  { token: Token, password: NewPassword },
  { $id: 'PasswordResetConfirmIn' },
)
export const VerifyIn = Type.Object(
  {
    token: Token,
    password: Type.Optional(
      Type.String({
        ...newPassword,
        description:
          'The password of the account from now on, instead of the one that was registered with; other sign-ins end. ' +
          'An account that is linked to a customer whom the ledger knew has none without it: whoever registered may have been a stranger',
      }),
    ),
  },
  { $id: 'VerifyIn' },
)

export const ShopperSessionBody = Type.Object(
  {
    shopper_token: Type.String({ description: 'For X-Storefront-Shopper-Token, beside a secret key' }),
    token_type: Type.Literal('Shopper'),
    expires_at: Timestamp,
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.String({ description: 'Good once: each refresh gives another' }),
    refresh_expires_at: Timestamp,
    customer: Nullable(Me),
    errors: SectionErrors,
  },
  { $id: 'Session', description: 'A sign-in. Without its ledger `customer` is null, and `errors[]` says why' },
)

export const VerificationSent = Type.Object(
  { status: Type.Literal('VERIFICATION_SENT') },
  { $id: 'VerificationSent', description: 'A letter is on its way to the address, whoever it belongs to' },
)
export const PasswordResetSent = Type.Object(
  { status: Type.Literal('RESET_SENT') },
  { $id: 'PasswordResetSent', description: 'If the address has an account, a letter is on its way to it' },
)
