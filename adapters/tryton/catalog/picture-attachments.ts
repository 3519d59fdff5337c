import { type Static, Type } from 'typebox'
import { nullable, TrytonId, timestampFields } from '../client/tryton-values.ts'

/** An attachment: a file or a link on a record, whose `resource` is "product.template,7". Its content is not read with it. */
export const Attachment = Type.Object({
  id: TrytonId,
  name: Type.String(),
  type: Type.String(),
  link: nullable(Type.String()),
  /** The digest of the content; `null` when the server stores files in its database. */
  file_id: nullable(Type.String()),
  ...timestampFields,
})
export type Attachment = Static<typeof Attachment>
export const attachmentFields = ['name', 'type', 'link', 'file_id', 'create_date', 'write_date']

const PICTURE_EXTENSIONS = ['jpg', 'jpeg', 'jpe', 'png', 'webp', 'gif']
const PICTURE_NAME = new RegExp(`\\.(?:${PICTURE_EXTENSIONS.join('|')})$`, 'i')

/**
 * Returns true for a picture by its name: Tryton has no content types, and the actual type shows only when it is read.
 * Names of public pictures start with `prefix`.
 */
export function isPicture({ type, name, link }: Pick<Attachment, 'type' | 'name' | 'link'>, prefix = ''): boolean {
  if (!name.startsWith(prefix)) return false
  if (type === 'data') return PICTURE_NAME.test(name)
  if (!link || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return false
  return PICTURE_NAME.test(name) || PICTURE_NAME.test(new URL(link).pathname)
}

/** A domain that matches at least what `isPicture` accepts. */
export const pictureCandidatesDomain = [
  'OR',
  [['type', '=', 'link']],
  ...PICTURE_EXTENSIONS.map((extension) => [['name', 'ilike', `%.${extension}`]]),
]

/** A domain of attachments of products and templates only. */
export const productAttachmentsDomain = [
  'OR',
  [['resource', 'like', 'product.product,%']],
  [['resource', 'like', 'product.template,%']],
]
