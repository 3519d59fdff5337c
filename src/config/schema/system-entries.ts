import { type PortName, portNames } from '../../ports/system.ts'
import { type Mode, modes } from '../../tenant.ts'
import type { ConfigFile } from './config-file-schema.ts'
import type { SystemBlock } from './system-schema.ts'
import type { UncheckedConfigFile, UncheckedObject } from './unchecked-config-file.ts'

/** The block of one system, and where it is in the file. */
export interface SystemEntry<Block = unknown> {
  block: Block
  port: PortName
  mode: Mode
  path: string
}

/** Lists every block of a system that is an object. */
export function listSystemEntries(file: UncheckedConfigFile): SystemEntry[] {
  return Object.entries(file?.merchants ?? {}).flatMap(([merchant, settings]) =>
    modes.flatMap((mode) =>
      portNames.flatMap((port) => {
        const block = (settings?.[mode] as UncheckedObject)?.[port]
        return typeof block === 'object' ? [{ block, port, mode, path: `merchants.${merchant}.${mode}.${port}` }] : []
      }),
    ),
  )
}

export const hasAdapterName = (entry: SystemEntry): entry is SystemEntry<SystemBlock> =>
  typeof (entry.block as Partial<SystemBlock> | null)?.adapter === 'string'

/** Lists the systems that have an adapter. */
export const listAdapterSystems = (file: ConfigFile): SystemEntry<SystemBlock>[] =>
  listSystemEntries(file as UncheckedConfigFile).filter(hasAdapterName)
