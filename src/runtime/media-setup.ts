import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config, MediaConfig } from '../config/config.ts'
import { throttleLog } from '../lifecycle/log-throttle.ts'
import { createDiskCache } from '../media/disk-cache.ts'
import { createPictureLinkClient } from '../media/picture-link-client.ts'
import { createPictureLoader, type PictureLoader } from '../media/picture-loader.ts'
import { createPictureResizer } from '../media/picture-resizer.ts'
import type { Metrics } from '../operations/metrics.ts'
import { version } from '../operations/version.ts'
import type { UpstreamRegistry } from '../upstream/upstream-registry.ts'

export interface MediaSetupParts {
  config: Config
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  metrics: Metrics
  logger: Logger
  now: () => number
}

export interface Media extends AsyncDisposable {
  pictures: PictureLoader
  countOutcome(outcome: string): void
}

const defaultMedia: MediaConfig = { maxBytes: 1_024 * 1_048_576, allow: [] }

/** Creates the picture loader, which stores resized pictures in the data directory. */
export function setUpMedia({ config, upstreams, metrics, logger, now }: MediaSetupParts): Media {
  const stack = new AsyncDisposableStack()
  const { maxBytes, allow } = config.media ?? defaultMedia
  // A full disk fails at every picture.
  const onError = throttleLog(
    (err: unknown) => logger.warn({ err }, 'pictures cannot be stored on disk; each request resizes them again'),
    { now },
  )
  const diskCache = stack.use(
    createDiskCache({ directory: join(config.dataDirectory, 'media'), maxBytes, now, onError }),
  )
  const linkClient = stack.use(createPictureLinkClient({ allow, version }))
  const pictures = stack.use(
    createPictureLoader({
      cache: diskCache,
      linkClient,
      now,
      resize: createPictureResizer(),
      backOfficeFor: (picture) => upstreams.forTenant(picture)?.backOffice ?? null,
      onFailure: ({ merchant, mode, source }, { failure, message }) =>
        logger.warn(
          { tenant: merchant, mode, picture: source, failure, said: message },
          'a picture could not be loaded',
        ),
    }),
  )
  metrics.gauge('forecourt_picture_bytes', 'Size of the picture cache on disk, in bytes', () => diskCache.bytes)
  const countOutcome = metrics.counter('forecourt_pictures_total', 'Picture requests, by outcome', 'outcome')
  return { pictures, countOutcome, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}
