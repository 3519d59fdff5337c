import { UpstreamError } from '../errors.ts'
import { SectionFailed } from '../sections/section-errors.ts'

/** Reports an upstream error of a command as the failure of a required section. */
export async function failRequiredSection<T>(section: string, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    throw error instanceof UpstreamError ? new SectionFailed(section, error) : error
  }
}
