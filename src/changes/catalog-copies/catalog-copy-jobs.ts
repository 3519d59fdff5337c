import type { FeedContext, FeedJob } from '../feed/change-source.ts'
import { createFitmentJob } from './fitment-copy-job.ts'
import { createReferenceCopyJob } from './reference-copy-job.ts'

/** Creates the jobs that copy what does not come with the changes of a system into the tenant's catalog. */
export const createCatalogCopyJobs = (context: FeedContext): FeedJob[] => [
  createReferenceCopyJob(context),
  createFitmentJob(context),
]
