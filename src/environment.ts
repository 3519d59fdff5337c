export type Environment = Readonly<Record<string, string | undefined>>

/** Of this process: nothing else reads it. */
export const environment: Environment = process.env

/** Whether src/launch.js has started this process. */
export const isLaunched = (env: Environment = environment): boolean => env.FORECOURT_LAUNCHED !== undefined
