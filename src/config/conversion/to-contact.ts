import type { ContactBlock } from '../schema/contact-schema.ts'
import type { SupportContact } from '../support-contact.ts'

/** Returns the member `contact` of a configuration; an empty block names nobody. */
export const toContact = (file: ContactBlock | undefined): { contact?: SupportContact } =>
  file && Object.keys(file).length > 0 ? { contact: file } : {}
