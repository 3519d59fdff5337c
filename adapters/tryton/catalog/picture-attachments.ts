import { type Static, Type } from 'typebox'
import { nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'

/** A file or a link that hangs on a record: `resource` is "product.template,7". Its content is not read along. */
export const Attachment = Type.Object({
  id: TrytonId,
  name: Type.String(),
  type: Type.String(),
  link: nullable(Type.String()),
  /** A digest of the content; `null` where the server keeps files in its database. */
  file_id: nullable(Type.String()),
  ...timestampFields,
})
export type Attachment = Static<typeof Attachment>
export const attachmentFields = ['name', 'type', 'link', 'file_id', 'create_date', 'write_date']

const ENDINGS = ['jpg', 'jpeg', 'jpe', 'png', 'webp', 'gif']
const PICTURE = new RegExp(`\\.(?:${ENDINGS.join('|')})$`, 'i')

/** By its name, as Tryton knows no other kind: what it really is shows when it is read. `prefix`: what names of public ones begin with. */
export function isPicture({ type, name, link }: Pick<Attachment, 'type' | 'name' | 'link'>, prefix = ''): boolean {
  if (!name.startsWith(prefix)) return false
  if (type === 'data') return PICTURE.test(name)
  if (!link || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return false
  return PICTURE.test(name) || PICTURE.test(new URL(link).pathname)
}

/** At least what `isPicture` finds, for a domain. */
export const pictureCandidatesDomain = [
  'OR',
  [['type', '=', 'link']],
  ...ENDINGS.map((ending) => [['name', 'ilike', `%.${ending}`]]),
]

/** Attachments of products alone, whatever else has some. */
export const productAttachmentsDomain = [
  'OR',
  [['resource', 'like', 'product.product,%']],
  [['resource', 'like', 'product.template,%']],
]
