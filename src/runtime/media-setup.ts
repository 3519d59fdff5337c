import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { createDiskCache } from '../media/disk-cache.ts'
import { createPictureLinkClient } from '../media/picture-link-client.ts'
import { createPictureLoader, type PictureLoader } from '../media/picture-loader.ts'
import { createPictureResizer } from '../media/picture-resizer.ts'
import { createPictureUrlSigner, type PictureUrlSigner } from '../media/picture-url-signer.ts'
import type { Metrics } from '../operations/metrics.ts'
import { version } from '../operations/version.ts'
import type { Database } from '../storage/database.ts'
import { readOrCreatePictureSigningKey } from '../storage/keys/picture-signing-key.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'

/** Pictures' addresses, signed with the key of this store. `base`: of the API, as browsers reach it. */
export async function loadPictureAddresses(db: Database, base: () => string): Promise<PictureUrlSigner> {
  return createPictureUrlSigner({ key: await readOrCreatePictureSigningKey(db, randomBytes), base })
}

export interface MediaSetupParts {
  config: Config
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  metrics: Metrics
  logger: Logger
  now: () => number
}

export interface MediaSetup extends AsyncDisposable {
  pictures: PictureLoader
  count(outcome: string): void
}

const defaults = { maxBytes: 1_024 * 1_048_576, allow: [] }
/** A disk that is full fails at every picture. */
const DISK_LINE_EVERY_MS = 60_000

/** Makes pictures, and keeps them in the data directory. */
export function setUpMedia({ config, upstreams, metrics, logger, now }: MediaSetupParts): MediaSetup {
  const stack = new AsyncDisposableStack()
  const { maxBytes, allow } = config.media ?? defaults
  let toldAt = Number.NEGATIVE_INFINITY
  const onError = (err: unknown) => {
    if (now() - toldAt < DISK_LINE_EVERY_MS) return
    toldAt = now()
    logger.warn({ err }, 'pictures cannot be kept on disk; they are served, and made anew each time')
  }
  const directory = join(config.dataDirectory, 'media')
  const shelf = stack.use(createDiskCache({ directory, maxBytes, now, onError }))
  const links = stack.use(createPictureLinkClient({ allow, version }))
  const pictures = stack.use(
    createPictureLoader({
      ...{ cache: shelf, links, now, resize: createPictureResizer() },
      backOfficeFor: ({ merchant, mode }) => upstreams.forTenant(merchant, mode)?.backOffice ?? null,
      onFailure: ({ merchant, mode, source }, { failure, message }) =>
        logger.warn({ tenant: merchant, mode, picture: source, failure, said: message }, 'a picture cannot be shown'),
    }),
  )
  metrics.gauge('forecourt_picture_bytes', 'Bytes kept of pictures on disk', () => shelf.bytes)
  const count = metrics.counter('forecourt_pictures_total', 'Pictures asked for, by outcome', 'outcome')
  return { pictures, count, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
