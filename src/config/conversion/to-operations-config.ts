import type { OperationsConfig } from '../config.ts'
import type { OperationsBlock } from '../schema/config-file-schema.ts'
import { LAST_PORT } from './parse-port.ts'
import { toContact } from './to-contact.ts'

/** The default port is the one after the API's, or before it when the API has the last one; 0 (any free port) stays 0. */
export function toOperationsConfig(file: OperationsBlock | undefined, apiPort: number): OperationsConfig | null {
  if (file?.enabled === false) return null
  return {
    host: file?.host ?? '127.0.0.1',
    port: file?.port ?? (apiPort === 0 ? 0 : apiPort === LAST_PORT ? apiPort - 1 : apiPort + 1),
    metrics: file?.metrics ?? false,
    ...(file?.url && { url: file.url }),
    ...toContact(file?.contact),
  }
}
