export const DEFAULT_API_PORT = 8080

/** The time from the arrival of a request to its response. */
export const DEFAULT_DEADLINE_MS = 1_500

/** The time that requests in progress get at shutdown. */
export const DEFAULT_FINISH_S = 10

/** The default size limit of pictures on disk. */
export const DEFAULT_MEDIA_MIB = 1_024

/** How long after its last change an order keeps its details here. Accounting is the system of record. */
export const DEFAULT_ARCHIVE_AFTER_DAYS = 90

export const DEFAULT_BANDS = { low: 5, hysteresis: 2 }

/** The age from which reads of a mirror are marked as stale. */
export const DEFAULT_MIRROR_AGE_S = 60

/** The default size limit of a system's response. */
export const DEFAULT_MAX_RESPONSE_MIB = 16
