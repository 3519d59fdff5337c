import type { MirrorReader } from '../../upstream/mirror/mirror-reader.ts'
import { catalogLoading } from './catalog-loading-error.ts'
import { rejectParameter } from './reject-parameter.ts'

/** Throws unless the mirror is ready. `name`: the parameter that needs it. */
export function assertMirror(state: MirrorReader['state'], name: string, input: unknown): void {
  if (state === 'filling') throw catalogLoading()
  if (state === 'off')
    throw rejectParameter('mirror_required', name, input, 'The catalog mirror of this merchant is off')
}
