import { readServerPlace } from '../config/server-place.ts'
import { requestReload, toControlPath } from '../runtime/workers/control-socket.ts'
import { print } from './print.ts'
import { UsageError } from './usage-error.ts'

/** Asks the server of a configuration file to load it again. The server says what is wrong with it, and goes on with the earlier one then. */
export async function runReload({ config }: { config: string }): Promise<void> {
  const { dataDirectory, port } = readServerPlace(config)
  const path = toControlPath(dataDirectory, port)
  const reply = await requestReload(path)
  if (!reply)
    throw new UsageError(
      `No server with workers listens at ${path}. Start one with workers in its configuration; the certificate of other servers is read again by itself`,
    )
  if (!reply.ok) throw new UsageError(`The server goes on with its earlier configuration.\n${reply.message}`)
  print(reply.message)
}
