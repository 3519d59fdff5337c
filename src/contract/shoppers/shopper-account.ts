import Type from 'typebox'
import { Nullable, Timestamp } from '../schema-parts.ts'
import { SectionErrors } from '../section-error-entry.ts'
import { Me } from './me.ts'

/** Exactly one @, and no character that is invisible or has a meaning in a mail header. Surrounding spaces are removed. The formats of JSON Schema allow less. */
const Email = Type.String({
  maxLength: 254,
  pattern:
    '^[ \\t]*[^\\s@<>,;:"()\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f]+@[^\\s@<>,;:"()\\[\\]\\\\\\x00-\\x1f\\x7f-\\x9f]+[ \\t]*$',
  'x-pattern-message': 'Input should be a valid email address, such as name@example.com',
  description: 'An email address; case-insensitive',
})
const newPassword = { minLength: 8, maxLength: 128 }
const NewPassword = Type.String(newPassword)
const Password = Type.String({ minLength: 1, maxLength: 128 })
const Token = Type.String({ minLength: 1, maxLength: 256 })
const Name = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\s\\x00-\\x1f][^\\x00-\\x1f]*$',
  'x-pattern-message': 'Input should not begin with a space, and should be one line',
})

export const RegisterIn = Type.Object(
  {
    email: Email,
    password: Type.String({
      ...newPassword,
      description: 'Used only when the response is 201. After 202, the password is set when the address is verified',
    }),
    first_name: Name,
    last_name: Name,
    company: Type.Optional(Type.String({ maxLength: 200 })),
    phone: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { $id: 'RegisterIn' },
)
const DeviceToken = Type.Optional(
  Type.String({
    maxLength: 256,
    description:
      'The last `device_token` that this device got for the email address. Attempts from other devices then do not count against it',
  }),
)
export const LoginIn = Type.Object({ email: Email, password: Password, device_token: DeviceToken }, { $id: 'LoginIn' })
export const RefreshIn = Type.Object({ refresh_token: Token }, { $id: 'RefreshIn' })
export const PasswordResetIn = Type.Object({ email: Email, device_token: DeviceToken }, { $id: 'PasswordResetIn' })
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
          'The password of the account; other sessions end. The password from registration is not used, because somebody else may have ' +
          'registered this address. If omitted, a new account has no password, and an email to set one follows',
      }),
    ),
  },
  { $id: 'VerifyIn' },
)

export const ShopperSessionBody = Type.Object(
  {
    shopper_token: Type.String({ description: 'For X-Storefront-Shopper-Token, together with a secret key' }),
    token_type: Type.Literal('Shopper'),
    expires_at: Timestamp,
    expires_in: Type.Integer({ description: 'Seconds' }),
    refresh_token: Type.String({ description: 'Valid once: each refresh returns a new one' }),
    refresh_expires_at: Timestamp,
    device_token: Type.String({
      description:
        'Grants no access. Store it on the device, also after sign-out, and send it when this shopper signs in again: strangers cannot lock out a known device',
    }),
    customer: Nullable(Me),
    errors: SectionErrors,
  },
  {
    $id: 'Session',
    description: 'A session. When the accounting system fails, `customer` is null and `errors[]` has the reason',
  },
)

export const VerificationSent = Type.Object(
  { status: Type.Literal('VERIFICATION_SENT') },
  { $id: 'VerificationSent', description: 'An email has been sent to the address' },
)
export const PasswordResetSent = Type.Object(
  { status: Type.Literal('RESET_SENT') },
  { $id: 'PasswordResetSent', description: 'If the address has an account, an email has been sent to it' },
)
