import type { SupportContact } from './config.ts'
import type { ContactBlock } from './merchant-schema.ts'

/** Returns the member `contact` of a configuration; an empty block names nobody. */
export const toContact = (file: ContactBlock | undefined): { contact?: SupportContact } =>
  file && Object.keys(file).length > 0 ? { contact: file } : {}
